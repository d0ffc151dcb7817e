import { readNamesOf, upper } from '../../read-names.js';
import type { QueryModel, ServiceModel } from '../model/service-model.js';
import { block } from './graphql-text.js';
import { filterOf } from './graphql-queries.js';
import type { GraphQLTypes } from './graphql-types.js';

/** Of every perspective with a route, a field that follows its list and a field that follows one row. */
export const subscriptionFields = ({ perspectives }: ServiceModel, types: GraphQLTypes): readonly string[] =>
  perspectives.flatMap(({ query }) => (query === null ? [] : fieldsOf(query, types)));

function fieldsOf({ route, row, columns }: QueryModel, types: GraphQLTypes): readonly string[] {
  const names = readNamesOf(route);
  if (names === undefined) return [];
  const name = upper(names.list);
  const change = changeOf(name, types.nullable(row, 'output'), types);
  const filter = columns.length === 0 ? [] : [`filter: ${filterOf(name, columns, types)}`];
  return [
    `  """What changes in ${names.list}."""\n  ${names.list}(${[...filter, after].join(', ')}): ${change}!`,
    `  """What changes in a row of ${names.list}."""\n  ${names.one}(id: ID!, ${after}): ${change}!`,
  ];
}

/** The `position` of the last change that the client has. */
const after = 'after: String';

function changeOf(name: string, row: string, types: GraphQLTypes): string {
  const kind = types.define('ChangeType', (own) =>
    block(
      'enum',
      own,
      '"""Read the list now: everything that changes from here on follows."""',
      'ready',
      'changed',
      '"""Deleted, or it left the filter."""',
      'gone',
      '"""Read the list again: the model was rebuilt, or more was missed than is worth sending."""',
      'reset',
    ),
  );
  return types.define(`${name}Change`, (own) =>
    block(
      'type',
      own,
      `type: ${kind}!`,
      '"""Send it as `after` to continue here."""',
      'position: String!',
      'id: ID',
      '"""Set when the type is `changed`."""',
      `row: ${row}`,
    ),
  );
}
