import {
  assertValidSchema,
  buildSchema,
  getDirectiveValues,
  GraphQLBoolean,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLUnionType,
  isScalarType,
  isUnionType,
} from 'graphql';
import { Problem } from '../../contracts/problems.js';
import type { EndpointRegistration } from '../registrations.js';
import type { MutationCall, MutationField } from './mutation-call.js';
import { outdatedSchema } from './outdated-schema.js';
import type { PerspectiveWatches } from './perspective-watches.js';
import { implementQueries, type SchemaReads } from './query-fields.js';
import { implementScalar } from './scalars.js';
import { implementSubscriptions } from './subscription-fields.js';

interface TypedField extends MutationField {
  readonly type: GraphQLOutputType;
}

export interface ExecutableSchema {
  readonly schema: GraphQLSchema;
  readonly fields: ReadonlyMap<string, TypedField>;
}

/** The schema with the endpoints that resolve its mutations, and the perspectives that resolve the other fields. */
export function executableSchema(
  text: string,
  endpoints: readonly EndpointRegistration[],
  reads: readonly SchemaReads[] = [],
  watches?: readonly PerspectiveWatches[],
): ExecutableSchema {
  const schema = built(text);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isScalarType(type)) implementScalar(type);
    if (isUnionType(type)) implementUnion(type, schema);
  }
  implementQueries(schema, reads);
  if (watches !== undefined) implementSubscriptions(schema, watches);
  return { schema, fields: implementMutations(schema, byMutation(endpoints)) };
}

function built(text: string): GraphQLSchema {
  try {
    const schema = buildSchema(text);
    assertValidSchema(schema);
    return schema;
  } catch (cause) {
    throw outdatedSchema(cause instanceof Error ? cause.message : 'it cannot be read', cause);
  }
}

function byMutation(endpoints: readonly EndpointRegistration[]): ReadonlyMap<string, EndpointRegistration> {
  const found = new Map<string, EndpointRegistration>();
  for (const registration of endpoints) {
    const name = registration.graphQLMutation;
    if (name === null) continue;
    const other = found.get(name);
    if (other !== undefined) {
      const both = `${other.command.name} and ${registration.command.name}`;
      throw new Problem('invalid-setup', { detail: `${both} have the same mutation '${name}'.` });
    }
    found.set(name, registration);
  }
  return found;
}

function implementMutations(
  schema: GraphQLSchema,
  registrations: ReadonlyMap<string, EndpointRegistration>,
): ReadonlyMap<string, TypedField> {
  const fields = schema.getMutationType()?.getFields() ?? {};
  const missing = [...registrations.keys()].find((name) => !(name in fields));
  if (missing !== undefined) throw outdatedSchema(`it has no mutation '${missing}'`);
  return new Map(
    Object.values(fields).map((field) => [field.name, implement(field, registrations.get(field.name))]),
  );
}

function implement(
  field: GraphQLField<unknown, MutationCall>,
  registration: EndpointRegistration | undefined,
): TypedField {
  const { name, type, args: parameters } = field;
  if (registration === undefined) throw outdatedSchema(`no endpoint answers '${name}'`);
  const { takes } = registration;
  if (parameters.some((parameter) => parameter.name !== takes))
    throw outdatedSchema(`'${name}' takes a ${takes}`);
  const typed = { registration, type, whenVoid: type === GraphQLBoolean ? (true as const) : undefined };
  field.resolve = (_source, args: Readonly<Record<string, unknown>>, call, { path, fieldNodes }) =>
    call.resultOf(typed, args[takes], String(path.key), fieldNodes[0]?.arguments?.[0]?.value);
  return typed;
}

function implementUnion(type: GraphQLUnionType, schema: GraphQLSchema): void {
  const directive = schema.getDirective('discriminated');
  const mark = directive && type.astNode && getDirectiveValues(directive, type.astNode);
  if (!mark) throw outdatedSchema(`nothing distinguishes the members of ${type.name}`);
  const { by, values, types } = mark as { by: string; values: string[]; types: string[] };
  const typeOf = new Map(values.map((value, index) => [value, types[index]]));
  type.resolveType = (value: Readonly<Record<string, string>>) => typeOf.get(value[by] ?? '');
}
