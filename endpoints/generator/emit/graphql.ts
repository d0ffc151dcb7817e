import type { CommandModel, ServiceModel } from '../model/service-model.js';
import { describe } from './graphql-text.js';
import { GraphQLTypes } from './graphql-types.js';
import type { Memo } from '../model/memo.js';

/** The GraphQL schema in SDL: one mutation per command that declares one; empty without mutations. */
export function emitSchema(model: ServiceModel, memo?: Memo): string {
  const types = new GraphQLTypes(model.types, memo);
  const mutations = model.commands.flatMap((command) => mutation(command, types, model));
  if (mutations.length === 0) return '';
  return [query, `type Mutation {\n${mutations.join('\n')}\n}`, ...types.definitions()].join('\n\n') + '\n';
}

/** A schema must have a query type. */
const query = `type Query {
  """The runtime that serves this schema."""
  service: String!
}`;

function mutation(command: CommandModel, types: GraphQLTypes, model: ServiceModel): readonly string[] {
  const { graphQLMutation: name, request, result, description } = command;
  if (name === null) return [];
  const takes = request?.name ?? command.name;
  const input = hasFields(takes, model) ? types.typeText({ kind: 'ref', name: takes }, 'input') : undefined;
  const parameter = input === undefined ? '' : `(${request === null ? 'command' : 'request'}: ${input})`;
  const answer = types.nullable(result ?? { kind: 'boolean' }, 'output');
  return [`${describe(description, '  ')}  ${name}${parameter}: ${answer}`];
}

function hasFields(name: string, { types }: ServiceModel): boolean {
  const type = types.get(name)?.type;
  return type?.kind === 'object' && type.properties.length > 0;
}
