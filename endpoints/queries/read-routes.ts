import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { typeNameOf } from '../../contracts/message.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import type { ReadModels, RowsPage } from '../../runtime/perspectives/reads/read-models.js';
import { perspectiveTable, type TableColumn } from '../../runtime/perspectives/tables/perspective-table.js';
import { type Authentication, guardHook, type RouteHook } from '../access/authentication.js';
import { alsoForPages } from '../access/visitor.js';
import { type Correlation, correlationOf } from '../http/correlation.js';
import { etagOf, isKnown } from '../http/static-file.js';
import { sendProblem } from '../http/reply.js';
import { queryIn, type ReadQuery } from './parse-query.js';
import { callersRows, everyRow, type HasCallersRows, type RowAccess, rowAccessOf } from './row-access.js';
import { VisibleRows } from './visible-rows.js';

/** The route of a perspective that declares one: `GET <route>` and `GET <route>/{id}`. */
export interface ReadRoute {
  readonly path: string;
  add(app: FastifyInstance): void;
}

/** Whether an event type has fields that must be hidden. */
type IsSensitive = (type: string) => boolean;

/** The routes of all perspectives that declare one. */
export function readRoutes(
  perspectives: readonly AnyPerspective[],
  models: ReadModels,
  authentication?: Authentication,
  isSensitive: IsSensitive = () => false,
): ReadRoute[] {
  const seen = new Map<string, string>();
  return perspectives.flatMap((perspective) => {
    const { route, name } = perspective;
    if (route === undefined) return [];
    mustBeFree(route, name, seen);
    const hides = perspective.events.some((type) => isSensitive(typeNameOf(type)));
    return [readRoute(route, perspective, models, authentication, hides)];
  });
}

function mustBeFree(route: string, name: string, seen: Map<string, string>): void {
  const other = seen.get(route);
  if (!/^\/[A-Za-z0-9\-._~/]*[A-Za-z0-9\-._~]$/.test(route))
    throw new Problem('invalid-setup', {
      detail: `The route '${route}' of perspective ${name} must start with '/' and must not end with it.`,
    });
  if (other !== undefined)
    throw new Problem('invalid-setup', {
      detail: `The perspectives ${other} and ${name} have the same route '${route}'.`,
    });
  seen.set(route, name);
}

function readRoute(
  path: string,
  perspective: AnyPerspective,
  models: ReadModels,
  authentication: Authentication | undefined,
  isSensitive: boolean,
): ReadRoute {
  const table = perspectiveTable(perspective);
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  const newestFirst = perspective.newestFirst === true;
  const access =
    authentication === undefined
      ? everyRow
      : rowAccessOf(perspective, columns, authentication.guard, isSensitive);
  const rows = new VisibleRows(models, table, access);
  const page = async (request: FastifyRequest): Promise<Found> => {
    const query = queryIn(request.url, table.columns);
    const asked = { ...askedBy(query, columns), newestFirst };
    const found = await rows.page(request.identity, asked);
    const facts = JSON.stringify(pageFacts(query, found)).slice(1);
    return { body: `{"data":${found.models},${facts}`, state: found.state };
  };
  return {
    path,
    add: (app) => {
      const options = { ...head, onRequest: guardsOf(authentication, perspective, access) };
      app.get(path, options, (request, reply) => answer(request, reply, page));
      app.get(`${path}/:id`, options, (request, reply) =>
        answer(request, reply, (asking) => one(asking, table.name, rows)),
      );
    },
  };
}

function guardsOf(
  authentication: Authentication | undefined,
  perspective: AnyPerspective & HasCallersRows,
  { flags: filter }: RowAccess,
): RouteHook[] {
  if (authentication === undefined) return [];
  const { name: type, permission = 'authenticated' } = perspective;
  const known = perspective[callersRows] === undefined ? authentication : alsoForPages(authentication);
  return [guardHook(known, permission, { type }, { filter })];
}

const head = { exposeHeadRoute: true };

/** What a query asks of the rows. */
export const askedBy = (
  { filters, sort, page, pageSize, cursor, count }: ReadQuery,
  columns: ReadonlyMap<string, TableColumn>,
) => ({
  filters: filters.map(({ name, ...filter }) => ({ ...filter, column: columnOf(columns, name) })),
  sort: sort.map(({ name, descending }) => ({ column: columnOf(columns, name), descending })),
  limit: pageSize,
  offset: (page - 1) * pageSize,
  ...(cursor === undefined ? {} : { after: cursor }),
  count,
});

function columnOf(columns: ReadonlyMap<string, TableColumn>, name: string): TableColumn {
  const column = columns.get(name);
  if (column === undefined) throw new Problem('invalid-query', { detail: `There is no column '${name}'.` });
  return column;
}

function pageFacts({ pageSize }: ReadQuery, { total: totalCount, isExact, start, next }: RowsPage) {
  return {
    totalCount,
    totalCountIs: isExact ? 'exact' : 'estimated',
    page: Math.floor(start / pageSize) + 1,
    pageSize,
    totalPages: Math.ceil(totalCount / pageSize),
    hasNextPage: next !== undefined,
    hasPreviousPage: start > 0 && totalCount > 0,
    ...(next === undefined ? {} : { nextCursor: next }),
  };
}

/** An answer, with the state of its model. */
interface Found {
  readonly body: string;
  readonly state: string | undefined;
}

const modelHeader = 'svc-model';

async function one(request: FastifyRequest, name: string, rows: VisibleRows): Promise<Found> {
  const { id } = request.params as { readonly id: string };
  const { model: body, states } = await rows.find(request.identity, id, correlationOf(request));
  const state = states.size === 0 ? undefined : [...states].join(', ');
  if (body !== undefined) return { body, state };
  throw new Problem('not-found', {
    detail: `${name} has no row ${JSON.stringify(id)}.`,
    ...(state === undefined ? {} : { headers: { [modelHeader]: state } }),
  });
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  read: (request: FastifyRequest) => Promise<Found>,
): Promise<void> {
  const correlation = correlationOf(request);
  try {
    send(request, reply, correlation, await read(request));
  } catch (error) {
    sendProblem(request, reply, correlation, error);
  }
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  correlation: Correlation,
  { body, state }: Found,
): void {
  const etag = etagOf(body);
  reply.headers({
    ...(state === undefined ? {} : { [modelHeader]: state }),
    'x-correlation-id': correlation.correlationId,
    traceparent: correlation.traceparent,
    etag,
    'cache-control': 'private, no-cache',
  });
  if (isKnown(request.headers, etag)) reply.code(304).send();
  else reply.type('application/json; charset=utf-8').send(body);
}
