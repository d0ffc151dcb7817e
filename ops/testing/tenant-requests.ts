import assert from 'node:assert/strict';
import { type Answered, jsonOf, post, send } from '../../endpoints/testing/http-client.js';
import type { PerspectiveTable, TableColumn } from '../../runtime/perspectives/tables/perspective-table.js';
import { firstPage } from '../../runtime/testing/first-page.js';
import { expensiveReads, operatorActions, reads } from '../console/server/api-handlers.js';
import { as, type Tenant, type TenantHost } from './tenant-hosts.js';

export type Row = Readonly<Record<string, unknown>>;

export const rowsIn = (answer: Answered): readonly Row[] =>
  (jsonOf(answer) as { readonly data: readonly Row[] }).data;

export interface OrdersQuery {
  readonly statuses: readonly string[];
  readonly sort: readonly string[];
  readonly pageSize: number;
  readonly page: number;
}

/** Whether an answer admits that the order exists. */
export async function admits(
  { url }: TenantHost,
  tenant: Tenant,
  action: 'cancel' | 'ship' | 'archive',
  orderId: string,
): Promise<boolean> {
  const headers = as(tenant);
  if (action !== 'archive')
    return (
      (await post(url, { orderId, carrier: 'dhl' }, { path: `/orders/${action}`, headers })).status !== 404
    );
  const query = `mutation { archiveOrder(command: { orderId: "${orderId}" }) { status } }`;
  return !(await post(url, { query }, { path: '/graphql', headers })).text.includes('order-not-found');
}

export async function listed(
  { url }: TenantHost,
  tenant: Tenant,
  query: OrdersQuery,
): Promise<readonly Row[]> {
  const { pageSize, page, sort } = query;
  const filters = query.statuses.map((status) => `&filter[status]=${status}`).join('');
  const path = `/orders?pageSize=${pageSize}&page=${page}&sort=${sort.join()}${filters}`;
  return rowsIn(await send(url, { method: 'GET', path, headers: as(tenant) }));
}

const connection = `query ($filter: OrdersFilter, $sort: [OrdersSort!], $after: String) {
  orders(filter: $filter, sort: $sort, first: 100, after: $after) {
    edges { node { orderId customerId status total createdAt updatedAt } }
    pageInfo { hasNextPage endCursor }
  }
}`;

interface OrdersConnection {
  readonly edges: readonly { readonly node: Row }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

/** Every page, as the first. */
export async function listedByGraphQL(
  { url }: TenantHost,
  tenant: Tenant,
  { statuses, sort: columns, page }: OrdersQuery,
): Promise<readonly Row[]> {
  if (page > 1) return [];
  const filter = statuses.length === 0 ? {} : { status: { in: statuses } };
  const sort = columns.map((name) => (name.startsWith('-') ? `${name.slice(1)}_desc` : `${name}_asc`));
  const rows: Row[] = [];
  for (let after: string | undefined; ;) {
    const body = { query: connection, variables: { filter, sort, after } };
    const answer = await post(url, body, { path: '/graphql', headers: as(tenant) });
    const { data } = jsonOf(answer) as { readonly data: { readonly orders: OrdersConnection } | null };
    if (data === null) assert.fail(answer.text);
    const { edges, pageInfo } = data.orders;
    rows.push(...edges.map(({ node }) => node));
    if (!pageInfo.hasNextPage) return rows;
    after = pageInfo.endCursor;
  }
}

export async function listedUnfiltered(
  { unfiltered, orders }: TenantHost,
  tenant: Tenant,
  { statuses: wanted, sort, pageSize, page }: OrdersQuery,
): Promise<readonly Row[]> {
  const { models } = await unfiltered.page(orders, {
    ...firstPage,
    tenant: tenant || undefined,
    filters:
      wanted.length === 0 ? [] : [{ column: columnOf(orders, 'status'), operator: 'eq', values: wanted }],
    sort: sort.map((name) => ({
      column: columnOf(orders, name.replace('-', '')),
      descending: name.startsWith('-'),
    })),
    limit: pageSize,
    offset: (page - 1) * pageSize,
  });
  return JSON.parse(models) as readonly Row[];
}

const columnOf = ({ columns }: PerspectiveTable, name: string): TableColumn =>
  columns.find((column) => column.name === name) ?? assert.fail(name);

const inApi = (path: string): string =>
  `/console/api${path.replace(':name', 'order-summary').replace(/:\w+/, '1')}`;

/** What shows all tenants, or acts on them. */
export const operatorRequests: readonly (readonly [method: string, path: string])[] = [
  ...Object.keys(reads).map((path) => ['GET', inApi(path)] as const),
  ...[...Object.keys(expensiveReads), ...Object.keys(operatorActions)].map(
    (path) => ['POST', inApi(path)] as const,
  ),
  ...['/console', '/metrics', '/machines', '/console/stream', '/console/api/hosts'].map(
    (path) => ['GET', path] as const,
  ),
];

export async function mustBeRefused(
  { url }: TenantHost,
  tenant: Tenant,
  [method, path]: readonly [string, string],
): Promise<void> {
  const headers = { ...as(tenant), 'content-type': 'application/json' };
  const body = method === 'POST' ? { body: '{"mode":"InPlace","reason":"why"}' } : {};
  const { status } = await send(url, { method, path, headers, ...body });
  assert.equal(status, 403, `${method} ${path}`);
}

/** Another rebuild of the same perspective may be running. */
export async function rebuild({ url }: TenantHost, mode: 'BlueGreen' | 'InPlace'): Promise<void> {
  const path = '/console/api/perspectives/order-summary/rebuild';
  const { status, text } = await post(url, { mode }, { path, headers: as('', 'svc:operate') });
  assert.ok([200, 409].includes(status), text);
}
