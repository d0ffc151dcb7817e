import { ts } from '../compiler.js';
import type { TypeModel } from '../model.js';
import { capital, type Place, type TypeReading } from './reading.js';

export function stringLiterals(types: readonly ts.Type[]): readonly string[] | undefined {
  const values = types.map((type) => (type.isStringLiteral() ? type.value : undefined));
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** The checker keeps a union in an order of its own; the source tells the one that was written. */
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

/** A union of objects that one string-literal property tells apart. */
export function readDiscriminated(
  reader: TypeReading,
  type: ts.UnionType,
  members: readonly ts.Type[],
  place: Place,
): TypeModel | undefined {
  const discriminator = discriminatorOf(members, reader.checker);
  if (discriminator === undefined) return undefined;
  return reader.addNamed(type, place, (name) => ({
    kind: 'union',
    discriminator,
    variants: members.map((member) => {
      const value = literalAt(member, discriminator, reader.checker) ?? '';
      return { value, name: reader.readNamed(member, { ...place, name: name + capital(value) }) };
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
