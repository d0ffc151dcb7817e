import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig, startHost } from 'svc-runtime/ops';
import { withDatabase } from 'svc-runtime/testing';
import { Client, type OrderSummary } from './generated/client.js';
import orders from './main.js';

type Query = NonNullable<Parameters<Client['orders']['list']>[0]>;
type Filter = NonNullable<Query['filter']>;
type Random = (below: number) => number;

/** The same run for the same seed. */
function numbersFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const customers = ['1', '2', '3'].map((n) => `018f0000-0000-7000-8000-00000000000${n}`);
const totals = ['1.10', '2', '10.00', '10.5'];
const pick = <T>(list: readonly T[], upTo: Random): T => list[upTo(list.length)] as T;

async function place(client: Client, upTo: Random): Promise<void> {
  const { orderId } = await client.createOrder({
    customerId: pick(customers, upTo),
    lineItems: [{ productId: 'bread', quantity: 1, unitPrice: pick(totals, upTo) }],
    shippingAddress: { street: 'High Street 1', city: 'York', state: 'YO', zipCode: 'YO1' },
  });
  if (upTo(3) === 0) await client.cancelOrder({ orderId });
}

function randomFilter(upTo: Random): Filter {
  const any = <T>(list: readonly T[]) => list.filter(() => upTo(2) === 0);
  const statuses: readonly NonNullable<Filter['status']>[] = [
    'created',
    { in: any(['created', 'cancelled', 'a,b']) },
    { contains: 'CEL' },
    { gte: 'created', contains: '' },
  ];
  return {
    ...(upTo(2) === 0 ? { status: pick(statuses, upTo) } : {}),
    ...(upTo(3) === 0 ? { customerId: { in: any(customers) } } : {}),
    ...(upTo(2) === 0 ? { total: { gte: pick(totals, upTo), lt: '10.5' } } : {}),
  };
}

function randomQuery(upTo: Random): Query {
  const columns = (['status', 'customerId', 'total'] as const).filter(() => upTo(2) === 0);
  return {
    filter: randomFilter(upTo),
    sort: columns.map((column) => (upTo(2) === 0 ? column : (`-${column}` as const))),
    pageSize: 3 + upTo(20),
  };
}

type Comparisons = Readonly<Record<string, unknown>>;

/** Every condition of a filter, with one name for each way to write it. */
const conditionsOf = (
  filter: Filter = {},
): readonly (readonly [column: string, comparisons: Comparisons])[] =>
  Object.entries(filter).map(([column, given]) => [
    column,
    typeof given === 'object' ? { ...given } : { eq: given },
  ]);

/** The ids of all rows, page by page, over plain REST. */
async function idsByRest(url: string, { filter, sort = [], pageSize }: Query): Promise<readonly string[]> {
  const search = new URLSearchParams({ pageSize: String(pageSize) });
  if (sort.length > 0) search.set('sort', sort.join());
  for (const [column, comparisons] of conditionsOf(filter))
    for (const [operator, value] of Object.entries(comparisons)) {
      const name = operator === 'eq' || operator === 'in' ? '' : `[${operator}]`;
      for (const one of Array.isArray(value) ? value : [value])
        search.append(`filter[${column}]${name}`, String(one));
    }
  const ids: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; search.set('cursor', cursor ?? '')) {
    const page = (await (await fetch(`${url}/orders?${search.toString()}`)).json()) as {
      readonly data: readonly OrderSummary[];
      readonly nextCursor?: string;
    };
    ids.push(...page.data.map(({ orderId }) => orderId));
    cursor = page.nextCursor;
  }
  return ids;
}

const document = `query ($filter: OrdersFilter, $sort: [OrdersSort!], $first: Int, $after: String) {
  orders(filter: $filter, sort: $sort, first: $first, after: $after) {
    edges { cursor node { orderId } }
    pageInfo { hasNextPage endCursor }
  }
}`;

interface Connection {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly orderId: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

async function idsByGraphQL(url: string, { filter, sort = [], pageSize }: Query): Promise<readonly string[]> {
  const variables = {
    filter: Object.fromEntries(conditionsOf(filter)),
    sort: sort.map((name) => (name.startsWith('-') ? `${name.slice(1)}_desc` : `${name}_asc`)),
    first: pageSize,
  };
  const ids: string[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: document, variables: { ...variables, after } }),
    });
    const { data, errors } = (await response.json()) as {
      readonly data: { readonly orders: Connection };
      readonly errors?: unknown;
    };
    assert.equal(errors, undefined, JSON.stringify(errors));
    const { edges, pageInfo } = data.orders;
    ids.push(...edges.map(({ node }) => node.orderId));
    assert.equal(pageInfo.endCursor, edges.at(-1)?.cursor ?? null);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  }
  return ids;
}

async function idsByClient({ orders: rows }: Client, query: Query): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { orderId } of rows.all(query)) ids.push(orderId);
  return ids;
}

/** An empty list of values cannot be written into a URL; it matches nothing. */
const isEmpty = (filter: Filter = {}): boolean =>
  conditionsOf(filter).some(([, comparisons]) => {
    const values = comparisons['in'];
    return Array.isArray(values) && values.length === 0;
  });

/** One host for all tests: it takes longer to start than to read. */
const withHost = (body: (url: string) => Promise<void>): Promise<void> =>
  withDatabase(async (databaseUrl) => {
    const host = await startHost(orders, readConfig({ SVC_PORT: '0', DATABASE_URL: databaseUrl }));
    try {
      await body(host.url);
    } finally {
      await host.stop();
    }
  });

const waiting = { prefer: 'wait=60' };

async function readAlike(url: string): Promise<void> {
  const seed = Date.now() % 1_000_000;
  const upTo = numbersFrom(seed);
  const client = new Client({ baseUrl: url, headers: waiting });
  for (let n = 0; n < 30; n++) await place(client, upTo);
  assert.equal((await idsByClient(client, {})).length, 30);
  for (let n = 0; n < 25; n++) {
    const query = randomQuery(upTo);
    const about = `seed ${seed}: ${JSON.stringify(query)}`;
    const expected = isEmpty(query.filter) ? [] : await idsByRest(url, query);
    assert.deepEqual(await idsByClient(client, query), expected, about);
    assert.deepEqual(await idsByGraphQL(url, query), expected, about);
  }
}

async function readOneAlike(url: string): Promise<void> {
  const client = new Client({ baseUrl: url });
  const [row] = (await client.orders.list()).data;
  assert.ok(row);
  assert.deepEqual(await client.orders.get(row.orderId), row);
  const fields = Object.keys(row).join(' ');
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `{ order(id: "${row.orderId}") { ${fields} } none: order(id: "x") { orderId } }`,
    }),
  });
  assert.deepEqual(await answer.json(), { data: { order: row, none: null } });
  const missing: unknown = await client.orders.get('x').catch((error: unknown) => error);
  assert.equal((missing as { code?: string }).code, 'not-found');
}

async function watchThroughLostConnections(url: string): Promise<void> {
  const connections: AbortController[] = [];
  const stop = new AbortController();
  const client = new Client({ baseUrl: url, headers: waiting });
  const watching = new Client({
    baseUrl: url,
    fetch: (address, init) => {
      const connection = new AbortController();
      init?.signal?.addEventListener('abort', () => connection.abort());
      connections.push(connection);
      return fetch(address, { ...init, signal: connection.signal });
    },
  });
  const changes = watching.orders.watch({ filter: { status: 'created' } }, { signal: stop.signal });
  const next = async () => (await changes.next()).value;
  assert.equal((await next())?.type, 'ready');
  await place(client, () => 1);
  const created = await next();
  assert.ok(created?.type === 'changed');
  assert.deepEqual(created.row, await client.orders.get(created.id));
  connections.at(-1)?.abort();
  await client.cancelOrder({ orderId: created.id });
  const gone = await next();
  assert.deepEqual(gone, { type: 'gone', id: created.id, position: gone?.position });
  assert.equal(connections.length, 2);
  const ending = next().catch((error: unknown) => error);
  stop.abort(new TypeError('enough'));
  assert.match(String(await ending), /enough/);
}

test('the client, GraphQL and REST give the same rows in the same order; watch continues after a lost connection', () =>
  withHost(async (url) => {
    await readAlike(url);
    await readOneAlike(url);
    await watchThroughLostConnections(url);
  }));
