import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';

/** Whether GraphQL would take a value, and leave it exactly as it is. */
type Fits = (value: unknown) => boolean;

/** `known` lets recursive types find themselves. */
export function fitting(type: GraphQLInputType, known = new Map<GraphQLInputType, Fits>()): Fits {
  const found = known.get(type);
  if (found !== undefined) return found;
  let fits: Fits = () => false;
  known.set(type, (value) => fits(value));
  fits = fittingNew(type, known);
  return fits;
}

function fittingNew(type: GraphQLInputType, known: Map<GraphQLInputType, Fits>): Fits {
  if (isNonNullType(type)) {
    const inner = fitting(type.ofType, known);
    return (value) => value !== null && inner(value);
  }
  if (isListType(type)) {
    const item = fitting(type.ofType, known);
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
  return isInputObjectType(type) ? fittingObject(type, known) : () => false;
}

function fittingObject(type: GraphQLInputObjectType, known: Map<GraphQLInputType, Fits>): Fits {
  if (type.isOneOf) return () => false;
  const fields = Object.values(type.getFields()).map((field) => ({
    name: field.name,
    mayBeAbsent: !isNonNullType(field.type) && field.defaultValue === undefined,
    fits: fitting(field.type, known),
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
