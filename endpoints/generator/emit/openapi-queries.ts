import type { ColumnModel, PerspectiveModel, QueryModel, ServiceModel } from '../model/service-model.js';
import { leaving, type Schema, schemaOf } from './json-schema.js';
import { problemReferences } from './openapi-problems.js';
import { readRefusals, securityOf } from './openapi-security.js';

/** A path, and one or more of its operations by method. */
type PathOperation = readonly [path: string, item: Schema];

/** `GET <route>` and `GET <route>/{id}` of every perspective that has a route, and the same while they change. */
export const queryPaths = (model: ServiceModel): PathOperation[] =>
  model.perspectives.flatMap((perspective): PathOperation[] => {
    const { query } = perspective;
    if (query === null) return [];
    return [
      [query.route, { get: list(perspective, query) }],
      [`${query.route}/{id}`, { get: one(perspective, query) }],
      [`${query.route}/live`, { get: liveList(perspective, query) }],
      [`${query.route}/{id}/live`, { get: liveOne(perspective, query) }],
    ];
  });

const list = ({ name }: PerspectiveModel, query: QueryModel): Schema => ({
  operationId: `list${name}`,
  summary: 'Rows, page by page',
  tags: [tagOf(query.route)],
  ...securityOf(query.permission),
  parameters: [...pageParameters, ...columnParameters(query.columns), ...conditional],
  responses: {
    200: { description: 'The page.', headers, content: json(pageOf(query)) },
    304: unchanged,
    ...problemReferences(
      'invalid-query',
      ...readRefusals(query.permission),
      'unexpected',
      'store-unavailable',
    ),
  },
});

const one = ({ name }: PerspectiveModel, query: QueryModel): Schema => ({
  operationId: `get${name}`,
  summary: 'One row',
  tags: [tagOf(query.route)],
  ...securityOf(query.permission),
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }, ...conditional],
  responses: {
    200: { description: 'The row.', headers, content: json(schemaOf(query.row, leaving)) },
    304: unchanged,
    ...problemReferences('not-found', ...readRefusals(query.permission), 'unexpected', 'store-unavailable'),
  },
});

const liveList = ({ name }: PerspectiveModel, query: QueryModel): Schema => ({
  operationId: `watch${name}`,
  summary: 'Rows as they change',
  tags: [tagOf(query.route)],
  ...securityOf(query.permission),
  parameters: [...columnParameters(query.columns).filter(({ name: of }) => of === 'filter'), ...resuming],
  responses: liveResponses(query),
});

const liveOne = ({ name }: PerspectiveModel, query: QueryModel): Schema => ({
  operationId: `watchOne${name}`,
  summary: 'One row as it changes',
  tags: [tagOf(query.route)],
  ...securityOf(query.permission),
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }, ...resuming],
  responses: liveResponses(query),
});

const liveResponses = ({ permission }: QueryModel): Schema => ({
  200: {
    description:
      'Server-sent events: ready, changed with the row, gone, reset (read the rows again) and closed with a reason.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  },
  ...problemReferences(
    'invalid-query',
    'not-found',
    'not-acceptable',
    ...readRefusals(permission),
    'overloaded',
    'unexpected',
    'store-unavailable',
  ),
});

const resuming: readonly Schema[] = [
  {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The id of the last event, to continue after it.',
    schema: { type: 'string' },
  },
  {
    name: 'lastEventId',
    in: 'query',
    description: 'The same, where a client cannot send headers.',
    schema: { type: 'string' },
  },
];

const tagOf = (route: string): string => route.split('/').find((part) => part !== '') ?? 'reads';

const json = (schema: Schema): Schema => ({ 'application/json': { schema } });

const whole = (minimum: number): Schema => ({ type: 'integer', minimum });

const pageOf = ({ row }: QueryModel): Schema => ({
  type: 'object',
  required: [
    'data',
    'totalCount',
    'totalCountIs',
    'page',
    'pageSize',
    'totalPages',
    'hasNextPage',
    'hasPreviousPage',
  ],
  properties: {
    data: { type: 'array', items: schemaOf(row, leaving) },
    totalCount: whole(0),
    totalCountIs: { enum: ['exact', 'estimated'] },
    page: whole(1),
    pageSize: whole(1),
    totalPages: whole(0),
    hasNextPage: { type: 'boolean' },
    hasPreviousPage: { type: 'boolean' },
    nextCursor: { type: 'string', description: 'The cursor of the next page; absent on the last one.' },
  },
});

const pageParameters: readonly Schema[] = [
  { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 } },
  { name: 'pageSize', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 } },
  {
    name: 'cursor',
    in: 'query',
    description:
      'The nextCursor of a page with the same filters and sort. It takes the place of page, and a deep page costs as much as the first.',
    schema: { type: 'string' },
  },
  {
    name: 'count',
    in: 'query',
    description: 'Counts all rows. Without it, a totalCount above 1,000 is estimated.',
    schema: { enum: ['exact'] },
  },
];

function columnParameters(declared: readonly ColumnModel[]): readonly Schema[] {
  if (declared.length === 0) return [];
  const columns = declared.map(({ name }) => name);
  const either = columns.join('|');
  return [
    {
      name: 'sort',
      in: 'query',
      description: `One or more of ${columns.join(', ')}, separated by commas; a leading - sorts in descending order.`,
      schema: { type: 'string', pattern: `^-?(?:${either})(?:,-?(?:${either}))*$` },
    },
    {
      name: 'filter',
      in: 'query',
      style: 'deepObject',
      explode: true,
      description:
        'Rows must match all filters. filter[column] takes a value and may be repeated; filter[column][gte], [gt], [lte] and [lt] compare, [in] takes values separated by commas, and [contains] finds a part of a text in any case.',
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(columns.map((name) => [name, filterSchema])),
      },
    },
  ];
}

const comparisons = ['gte', 'gt', 'lte', 'lt', 'in', 'contains'];

const filterSchema: Schema = {
  type: ['string', 'object'],
  additionalProperties: false,
  properties: Object.fromEntries(comparisons.map((name) => [name, { type: 'string' }])),
};

const conditional: readonly Schema[] = [
  {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of a cached answer.',
    schema: { type: 'string' },
  },
];

const headers = {
  ETag: { description: 'Changes when the answer does.', schema: { type: 'string' } },
  'X-Correlation-Id': { $ref: '#/components/headers/X-Correlation-Id' },
  traceparent: { $ref: '#/components/headers/traceparent' },
};

const unchanged = { description: 'Not modified.' };
