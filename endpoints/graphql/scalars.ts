import { GraphQLError, type GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';

type Variables = Readonly<Record<string, unknown>> | null | undefined;

/** How a scalar is parsed and serialized; its format is checked by the decoder, as for every transport. */
interface Scalar {
  readonly takes: (value: unknown) => boolean;
  readonly literal: (node: ValueNode, variables: Variables) => unknown;
  readonly described: string;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const textOf = (node: ValueNode): unknown => (node.kind === Kind.STRING ? node.value : undefined);
const text: Scalar = { takes: isText, literal: textOf, described: 'text' };

const scalars: Readonly<Record<string, Scalar>> = {
  Uuid: text,
  Timestamp: text,
  Duration: text,
  Long: {
    takes: isNumber,
    literal: (node) => (node.kind === Kind.INT ? Number(node.value) : undefined),
    described: 'an integer',
  },
  Decimal: {
    takes: (value) => isText(value) || isNumber(value),
    // The digits as written: a number would lose some of them.
    literal: (node) => (node.kind === Kind.INT || node.kind === Kind.FLOAT ? node.value : textOf(node)),
    described: 'a decimal number, or its digits as text',
  },
  JSON: {
    takes: (value) => value !== undefined && typeof value !== 'function' && typeof value !== 'symbol',
    literal: (node, variables) => valueFromASTUntyped(node, variables) ?? null,
    described: 'a JSON value',
  },
};

export function implementScalar(type: GraphQLScalarType): void {
  const scalar = scalars[type.name];
  if (scalar === undefined) return;
  const { takes, literal, described } = scalar;
  const take = (value: unknown): unknown => {
    if (takes(value)) return value;
    throw new GraphQLError(`${type.name} must be ${described}.`);
  };
  type.parseValue = take;
  type.serialize = take;
  type.parseLiteral = (node, variables) => take(literal(node, variables));
}
