import { ts } from '../compiler.js';
import type { TypeModel } from '../model/service-model.js';
import { capital, type TypeSite, type TypeReadingContext } from './type-reading-context.js';

export function stringLiterals(types: readonly ts.Type[]): readonly string[] | undefined {
  const values = types.map((type) => (type.isStringLiteral() ? type.value : undefined));
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** The literals in source order; the checker keeps a union in its own order. */
export function literalsOf(values: readonly string[], type: ts.Type, node: ts.Node): readonly string[] {
  const alias = type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration);
  const written = alias?.type ?? (node as { readonly type?: ts.TypeNode }).type;
  const order: string[] = [];
  const visit = (part: ts.Node): void => {
    if (ts.isLiteralTypeNode(part) && ts.isStringLiteral(part.literal)) order.push(part.literal.text);
    ts.forEachChild(part, visit);
  };
  if (written !== undefined) visit(written);
  const rank = (value: string): number => (order.includes(value) ? order.indexOf(value) : order.length);
  return [...values].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function inWrittenOrder(
  members: readonly ts.Type[],
  type: ts.UnionType,
  node: ts.Node,
  checker: ts.TypeChecker,
): readonly ts.Type[] {
  const order: ts.Type[] = [];
  const visited = new Set<ts.Node>();
  const visit = (part: ts.Node): void => {
    if (visited.has(part)) return;
    visited.add(part);
    if (ts.isTypeReferenceNode(part) || ts.isTypeLiteralNode(part)) {
      const found = checker.getTypeFromTypeNode(part);
      const alias = found.isUnion() ? aliasOf(found) : undefined;
      if (alias === undefined) order.push(found);
      else visit(alias.type);
    }
    ts.forEachChild(part, visit);
  };
  const written = aliasOf(type)?.type ?? (node as { readonly type?: ts.TypeNode }).type;
  if (written !== undefined) visit(written);
  const rank = (member: ts.Type): number => (order.includes(member) ? order.indexOf(member) : order.length);
  return [...members].sort((a, b) => rank(a) - rank(b) || byDeclaration(a, b));
}

const aliasOf = (type: ts.Type): ts.TypeAliasDeclaration | undefined =>
  type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration);

function byDeclaration(a: ts.Type, b: ts.Type): number {
  const [one, other] = [a, b].map((type) => type.getSymbol()?.declarations?.[0]);
  if (one === undefined || other === undefined) return 0;
  const [file, otherFile] = [one.getSourceFile().fileName, other.getSourceFile().fileName];
  return file === otherFile ? one.pos - other.pos : file < otherFile ? -1 : 1;
}

/** The text of a type argument, independent of what the checker has read before. */
export function argumentText(type: ts.Type, node: ts.Node, checker: ts.TypeChecker): string {
  const text = (of: ts.Type): string => checker.typeToString(of, node);
  if (!type.isUnion() || type.aliasSymbol !== undefined) return text(type);
  const isNamed = type.types.every((member) => member.isStringLiteral() || member.isClassOrInterface());
  return isNamed ? type.types.map(text).sort().join('') : text(type);
}

/** A union of objects, discriminated by one string-literal property. */
export function readDiscriminated(
  reader: TypeReadingContext,
  type: ts.UnionType,
  unordered: readonly ts.Type[],
  site: TypeSite,
): TypeModel | undefined {
  const members = inWrittenOrder(unordered, type, site.identity, reader.checker);
  const discriminator = discriminatorOf(members, reader.checker);
  if (discriminator === undefined) return undefined;
  return reader.addNamed(type, site, (name) => ({
    kind: 'union',
    discriminator,
    variants: members.map((member) => {
      const value = literalAt(member, discriminator, reader.checker) ?? '';
      return { value, name: reader.readNamed(member, { ...site, name: name + capital(value) }) };
    }),
  }));
}

function discriminatorOf(members: readonly ts.Type[], checker: ts.TypeChecker): string | undefined {
  const [first] = members;
  if (first === undefined || !members.every((member) => (member.flags & ts.TypeFlags.Object) !== 0))
    return undefined;
  return checker
    .getPropertiesOfType(first)
    .map((property) => property.name)
    .find((name) => {
      const values = members.map((member) => literalAt(member, name, checker));
      return values.every((value) => value !== undefined) && new Set(values).size === members.length;
    });
}

function literalAt(type: ts.Type, name: string, checker: ts.TypeChecker): string | undefined {
  const property = checker.getPropertyOfType(type, name);
  if (property === undefined) return undefined;
  const value = checker.getTypeOfSymbol(property);
  return value.isStringLiteral() ? value.value : undefined;
}
