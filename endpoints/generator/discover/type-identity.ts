import { ts } from '../compiler.js';

const maxDepth = 8;

/** A text that is equal for equal types, whichever checker has read them. */
export function typeIdentity(type: ts.Type, checker: ts.TypeChecker, depth = 0): string {
  const of = (inner: ts.Type): string => typeIdentity(inner, checker, depth + 1);
  if (depth > maxDepth) return checker.typeToString(type);
  if (type.isUnion()) return `(${type.types.map(of).sort().join('|')})`;
  if (type.isIntersection()) return `(${type.types.map(of).sort().join('&')})`;
  const declaration = type.getSymbol()?.declarations?.[0];
  if (declaration === undefined || (type.flags & ts.TypeFlags.Object) === 0)
    return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  const args = isReference(type) ? checker.getTypeArguments(type) : (type.aliasTypeArguments ?? []);
  const own = args.filter((argument) => !isThis(argument));
  const kind = type.isClassOrInterface() || isReference(type) ? '' : 'of ';
  return `${kind}${placeIn(declaration)}<${own.map(of).join()}>`;
}

const placeIn = (node: ts.Node): string => `${node.getSourceFile().fileName}:${node.pos}`;

export const isReference = (type: ts.Type): type is ts.TypeReference =>
  ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0;

export const isThis = (type: ts.Type): boolean => (type as { isThisType?: boolean }).isThisType === true;
