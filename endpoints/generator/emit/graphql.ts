import { propertiesOf } from '../model/properties.js';
import type { CommandModel, ServiceModel } from '../model/service-model.js';
import { describe } from './graphql-text.js';
import { queryFields } from './graphql-queries.js';
import { subscriptionFields } from './graphql-subscriptions.js';
import { GraphQLTypes } from './graphql-types.js';
import type { Memo } from '../model/memo.js';

/** The GraphQL schema in SDL: mutations of commands, queries and subscriptions of perspectives; empty when there is neither. */
export function emitSchema(model: ServiceModel, memo?: Memo): string {
  const types = new GraphQLTypes(model.types, memo);
  const mutations = model.commands.flatMap((command) => mutation(command, types, model));
  const queries = queryFields(model, types);
  const subscriptions = subscriptionFields(model, types);
  if (mutations.length + queries.length === 0) return '';
  const roots = [
    `type Query {\n${[service, ...queries].join('\n')}\n}`,
    ...(mutations.length === 0 ? [] : [`type Mutation {\n${mutations.join('\n')}\n}`]),
    ...(subscriptions.length === 0 ? [] : [`type Subscription {\n${subscriptions.join('\n')}\n}`]),
  ];
  return [...roots, ...types.definitions()].join('\n\n') + '\n';
}

/** A schema must have a query type, and a type must have a field. */
const service = `  """The runtime that serves this schema."""
  service: String!`;

function mutation(command: CommandModel, types: GraphQLTypes, model: ServiceModel): readonly string[] {
  const { graphQLMutation: name, request, result, description } = command;
  if (name === null) return [];
  const takes = request?.name ?? command.name;
  const hasFields = propertiesOf(model.types, takes).length > 0;
  const input = hasFields ? types.typeText({ kind: 'ref', name: takes }, 'input') : undefined;
  const parameter = input === undefined ? '' : `(${request === null ? 'command' : 'request'}: ${input})`;
  const answer = types.nullable(result ?? { kind: 'boolean' }, 'output');
  return [`${describe(description, '  ')}  ${name}${parameter}: ${answer}`];
}
