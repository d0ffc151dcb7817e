import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';

/** Whether GraphQL would accept a value and leave it unchanged. */
type IsUnchanged = (value: unknown) => boolean;

/** `known` holds the types that were visited, for recursive types. */
export function unchangedBy(
  type: GraphQLInputType,
  known = new Map<GraphQLInputType, IsUnchanged>(),
): IsUnchanged {
  const found = known.get(type);
  if (found !== undefined) return found;
  let fits: IsUnchanged = () => false;
  known.set(type, (value) => fits(value));
  fits = newUnchangedBy(type, known);
  return fits;
}

function newUnchangedBy(type: GraphQLInputType, known: Map<GraphQLInputType, IsUnchanged>): IsUnchanged {
  if (isNonNullType(type)) {
    const inner = unchangedBy(type.ofType, known);
    return (value) => value !== null && inner(value);
  }
  if (isListType(type)) {
    const item = unchangedBy(type.ofType, known);
    return (value) => value === null || (Array.isArray(value) && value.every(item));
  }
  if (isLeafType(type)) {
    return (value) => {
      try {
        return value === null || (value !== undefined && type.parseValue(value) === value);
      } catch {
        return false;
      }
    };
  }
  return isInputObjectType(type) ? unchangedByObject(type, known) : () => false;
}

function unchangedByObject(
  type: GraphQLInputObjectType,
  known: Map<GraphQLInputType, IsUnchanged>,
): IsUnchanged {
  if (type.isOneOf) return () => false;
  const fields = Object.values(type.getFields()).map((field) => ({
    name: field.name,
    mayBeAbsent: !isNonNullType(field.type) && field.defaultValue === undefined,
    fits: unchangedBy(field.type, known),
  }));
  return (value) => {
    if (value === null) return true;
    if (typeof value !== 'object' || Array.isArray(value)) return false;
    const from = value as Readonly<Record<string, unknown>>;
    let present = 0;
    for (const { name, mayBeAbsent, fits } of fields) {
      const member = from[name];
      if (member === undefined ? !mayBeAbsent : !fits(member)) return false;
      if (member !== undefined) present++;
    }
    return present === Object.keys(from).length;
  };
}
