import type { NamedTypes, TypeModel } from '../model/service-model.js';
import { isEnumValue, isGraphQLName, quoted } from './graphql-text.js';

/** A JSON value as a GraphQL literal of a type; undefined when GraphQL cannot express it. */
export function literalOf(value: unknown, type: TypeModel, types: NamedTypes): string | undefined {
  if (type.kind === 'nullable') return literalOf(value, type.inner, types);
  if (Array.isArray(value)) {
    const itemType: TypeModel = type.kind === 'array' ? type.item : { kind: 'json' };
    const items = value.map((item) => literalOf(item, itemType, types));
    return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
  }
  const named = type.kind === 'ref' ? types.get(type.name)?.type : undefined;
  if (typeof value === 'string')
    return named?.kind === 'enum' && named.values.every(isEnumValue) ? value : quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const properties = named?.kind === 'object' ? named.properties : [];
  const typeOf = new Map(properties.map((property) => [property.name, property.type]));
  const members = Object.entries(value).map(([key, member]) => {
    const literal = literalOf(member, typeOf.get(key) ?? { kind: 'json' }, types);
    return isGraphQLName(key) && literal !== undefined ? `${key}: ${literal}` : undefined;
  });
  return members.includes(undefined) ? undefined : `{${members.join(', ')}}`;
}
