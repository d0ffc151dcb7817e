import type { ColumnModel, QueryModel, ServiceModel } from '../model/service-model.js';
import { leaving, type Schema, schemaOf } from './json-schema.js';
import { headerParameter, pathParameter, queryParameter, tagOf, traceHeaders } from './openapi-operation.js';
import { problemReferences } from './openapi-problems.js';
import { readRefusals, securityOf } from './openapi-security.js';

/** `GET <route>` and `GET <route>/{id}` of every perspective that has a route, and the same while they change. */
export const queryPaths = (model: ServiceModel): (readonly [path: string, item: Schema])[] =>
  model.perspectives.flatMap(({ name, query }) => {
    if (query === null) return [];
    const { route, columns } = query;
    const filters = columnParameters(columns).filter((parameter) => parameter['name'] === 'filter');
    const get = (
      path: string,
      operationId: string,
      summary: string,
      parameters: readonly Schema[],
      responses: Schema,
    ) => {
      const tags = [tagOf(route)];
      const operation = {
        operationId,
        summary,
        tags,
        ...securityOf(query.permission),
        parameters,
        responses,
      };
      return [path, { get: operation }] as const;
    };
    const id = pathParameter('id');
    const page = [...pageParameters, ...columnParameters(columns), conditional];
    const live = liveResponses(query);
    return [
      get(route, `list${name}`, 'Rows, page by page', page, pageResponses(query)),
      get(`${route}/{id}`, `get${name}`, 'One row', [id, conditional], rowResponses(query)),
      get(`${route}/live`, `watch${name}`, 'Rows as they change', [...filters, ...resuming], live),
      get(`${route}/{id}/live`, `watchOne${name}`, 'One row as it changes', [id, ...resuming], live),
    ];
  });

const pageResponses = (query: QueryModel): Schema => ({
  200: { description: 'The page.', headers, content: json(pageOf(query)) },
  304: unchanged,
  ...problemReferences('invalid-query', ...readRefusals(query.permission), 'unexpected', 'store-unavailable'),
});

const rowResponses = ({ row, permission }: QueryModel): Schema => ({
  200: { description: 'The row.', headers, content: json(schemaOf(row, leaving)) },
  304: unchanged,
  ...problemReferences('not-found', ...readRefusals(permission), 'unexpected', 'store-unavailable'),
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
  headerParameter('Last-Event-ID', 'The id of the last event, to continue after it.'),
  queryParameter('lastEventId', 'The same, where a client cannot send headers.'),
];

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
  queryParameter(
    'cursor',
    'The nextCursor of a page with the same filters and sort. It takes the place of page, and a deep page costs as much as the first.',
  ),
  queryParameter('count', 'Counts all rows. Without it, a totalCount above 1,000 is estimated.', {
    enum: ['exact'],
  }),
];

function columnParameters(declared: readonly ColumnModel[]): readonly Schema[] {
  if (declared.length === 0) return [];
  const columns = declared.map(({ name }) => name);
  const either = columns.join('|');
  return [
    queryParameter(
      'sort',
      `One or more of ${columns.join(', ')}, separated by commas; a leading - sorts in descending order.`,
      { type: 'string', pattern: `^-?(?:${either})(?:,-?(?:${either}))*$` },
    ),
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

const conditional = headerParameter('If-None-Match', 'The ETag of a cached answer.');

const headers = {
  ETag: { description: 'Changes when the answer does.', schema: { type: 'string' } },
  ...traceHeaders,
};

const unchanged = { description: 'Not modified.' };
