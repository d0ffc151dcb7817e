import * as assert from 'uvu/assert';
import { identityFrom } from '../contracts/identity.js';
import { Event } from '../contracts/message.js';
import type { AnyPerspective, Perspective } from '../contracts/perspective.js';
import { Permission } from '../contracts/permission.js';
import { ScopeFilters } from '../contracts/perspective-scope.js';
import { suite } from '../contracts/testing/suite.js';
import type { ReadModels, RowsQuery } from '../runtime/perspectives/reads/read-models.js';
import { emitSchema } from './generator/emit/graphql.js';
import { exampleWithReads } from './generator/testing/example-model.js';
import { executableSchema } from './graphql/executable-schema.js';
import { perspectiveReads } from './graphql/perspective-reads.js';
import { withBakery } from './testing/bakery.js';
import { ask, codesIn } from './testing/graphql-client.js';
import { bearing, knownCallers } from './testing/known-callers.js';

const test = suite('GraphQL queries');

class Moved extends Event {}

const none = () => null;

const addresses: Perspective<unknown, Moved> = {
  name: 'address-book',
  events: [Moved],
  route: '/shop/addresses',
  permission: Permission.of('bread', 'eat'),
  initial: () => ({}),
  apply: (address) => address,
  columns: {
    zipCode: { type: 'text', of: none },
    owner: { type: 'uuid', of: none },
    floors: { type: 'integer', of: none },
    visits: { type: 'bigint', of: none },
    spent: { type: 'numeric', of: none },
    isActive: { type: 'boolean', of: none },
    since: { type: 'timestamptz', of: none },
  },
};

const schema = emitSchema({ ...exampleWithReads(), commands: [] });
const streets = ['High Street', 'Low Street'];
const rowOf = (street: string | undefined) => ({ street, zipCode: '3011' });

/** Models of two rows that record their queries. */
function book(rows: readonly unknown[] = streets.map(rowOf)) {
  const asked: RowsQuery[] = [];
  const models: ReadModels = {
    page: async (_, query) => {
      asked.push(query);
      const page = { models: JSON.stringify(rows), cursors: rows.map((__, at) => `c${at}`), start: 0 };
      return { ...page, total: 7, isExact: false, next: 'c1' };
    },
    one: async (_, id) => ({
      ...(id === '7' ? { model: JSON.stringify(rows[0]) } : {}),
      isParked: true,
      state: 'rebuilding',
    }),
  };
  return { asked, models };
}

type Book = ReturnType<typeof book>;

async function answerOf(query: string, { models }: Book = book(), variables?: unknown) {
  const queries = perspectiveReads([addresses], models);
  let found: Awaited<ReturnType<typeof ask>> | undefined;
  await withBakery({ http: { schema: onlyReads, queries, development: true } }, async ({ url }) => {
    found = await ask(url, query, variables);
  });
  assert.ok(found);
  return found;
}

/** The bakery has mutations of its own. */
const onlyReads = `${schema}\ntype Mutation { sendParcel(command: JSON): JSON returnParcel(request: JSON): Boolean openBakery: Boolean }\nscalar JSON\n`;

test('a list is a connection, with the cursor of every row', async () => {
  const { data, errors } = await answerOf(
    '{ shopAddresses { edges { cursor node { street } } pageInfo { hasNextPage endCursor } totalCount totalCountIs } }',
  );
  assert.equal(errors, []);
  assert.equal(data, {
    shopAddresses: {
      edges: streets.map((street, at) => ({ cursor: `c${at}`, node: { street } })),
      pageInfo: { hasNextPage: true, endCursor: 'c1' },
      totalCount: 7,
      totalCountIs: 'estimated',
    },
  });
});

test('one row is found by its id, and null when there is none', async () => {
  const { data, errors, headers } = await answerOf(
    '{ shopAddress(id: 7) { street } other: shopAddress(id: "8") { street } }',
  );
  assert.equal(errors, []);
  assert.equal(data, { shopAddress: { street: 'High Street' }, other: null });
  assert.is(headers['svc-model'], 'rebuilding, parked');
});

test('filters, sorts, limits and cursors reach the query with their columns', async () => {
  const shelf = book();
  const filter = `{ zipCode: { in: ["1,2", "3"], contains: "%" }, floors: { gte: 2 }, visits: { lt: 9 }, spent: { gt: 10.50, lte: "11" }, isActive: { eq: true } }`;
  const { errors } = await answerOf(
    `{ shopAddresses(filter: ${filter}, sort: [spent_desc, zipCode_asc], first: 3, after: "c9") { edges { cursor } } }`,
    shelf,
  );
  assert.equal(errors, []);
  const [query] = shelf.asked;
  assert.ok(query);
  assert.equal(
    query.filters.map(({ column, operator, values }) => [column.name, operator, ...values]),
    [
      ['zipCode', 'in', '1,2', '3'],
      ['zipCode', 'contains', '%'],
      ['floors', 'gte', '2'],
      ['visits', 'lt', '9'],
      ['spent', 'gt', '10.50'],
      ['spent', 'lte', '11'],
      ['isActive', 'eq', 'true'],
    ],
  );
  assert.equal(
    query.sort.map(({ column, descending }) => [column.name, descending]),
    [
      ['spent', true],
      ['zipCode', false],
    ],
  );
  assert.equal([query.limit, query.offset, query.after], [3, 0, 'c9']);
});

test('rows are counted only if the count is selected, also by a fragment', async () => {
  const shelf = book();
  await answerOf('{ shopAddresses { edges { cursor } } }', shelf);
  await answerOf('{ shopAddresses { ...C } } fragment C on ShopAddressesConnection { totalCount }', shelf);
  assert.equal(
    shelf.asked.map(({ count }) => count),
    ['none', 'bounded'],
  );
});

test('faulty arguments are refused together, with 400 and their paths', async () => {
  const sort = `[${Array(11).fill('spent_asc').join()}]`;
  const filter =
    '{ owner: { eq: "nobody" }, spent: { gt: "1e5" }, since: { lt: "today" }, zipCode: { eq: null, in: $many }, floors: null }';
  const shelf = book();
  const answer = await answerOf(
    `query ($many: [String!]) { shopAddresses(first: 101, sort: ${sort}, filter: ${filter}) { totalCount } }`,
    shelf,
    { many: Array(101).fill('a') },
  );
  assert.equal(codesIn(answer), ['400 invalid-query']);
  assert.equal(
    answer.errors[0]?.extensions.errors?.map(({ path, message }) => `${path} ${message}`),
    [
      '/first must be a whole number from 1 to 100',
      '/sort takes at most 10 columns',
      '/filter/zipCode/eq must not be null; leave it out',
      '/filter/zipCode/in must have at most 100 values',
      '/filter/owner/eq must be a UUID',
      '/filter/floors must not be null; leave it out',
      '/filter/spent/gt must be a decimal number',
      '/filter/since/lt must be a timestamp such as 2026-01-31T12:00:00Z',
    ],
  );
  assert.equal(shelf.asked, []);
});

test('a column that is not declared, or an operator that its type lacks, is not part of the schema', async () => {
  const refused = await answerOf('{ shopAddresses(filter: { street: { eq: "a" } }) { totalCount } }');
  assert.equal(codesIn(refused), ['400 invalid-query']);
  const wrong = await answerOf('{ shopAddresses(filter: { floors: { contains: 1 } }) { totalCount } }');
  assert.equal(codesIn(wrong), ['400 invalid-query']);
});

test('a query reads at most ten lists and rows, whatever aliases and fragments it uses', async () => {
  const reads = (count: number) =>
    Array.from({ length: count }, (_, at) => `a${at}: shopAddress(id: "${at}") { street }`).join(' ');
  assert.equal((await answerOf(`{ service ${reads(10)} }`)).errors, []);
  const spread = `{ ...A } fragment A on Query { ... on Query { ${reads(11)} } }`;
  for (const query of [`{ ${reads(11)} }`, spread])
    assert.match((await answerOf(query)).errors[0]?.message ?? '', 'more than 10 lists and rows');
});

test('a row that does not fit its type is an error of its own, beside the other rows', async () => {
  const answer = await answerOf(
    '{ shopAddresses { edges { node { street } } } }',
    book([rowOf(undefined), rowOf('Low Street')]),
  );
  assert.equal(codesIn(answer), ['500 unexpected']);
  assert.equal(answer.data, {
    shopAddresses: { edges: [{ node: null }, { node: { street: 'Low Street' } }] },
  });
});

test('a read needs the permission of its perspective, and the answer has the status of its refusal', async () => {
  const authentication = knownCallers();
  const { models, asked } = book();
  const queries = perspectiveReads([addresses], models, authentication);
  const http = { schema: onlyReads, queries, authentication };
  const accept = 'application/graphql-response+json';
  const list =
    '{ shopAddresses { totalCount } b: shopAddresses { totalCount } shopAddress(id: 7) { street } }';
  await withBakery({ http }, async ({ url }) => {
    const guest = await ask(url, list, undefined, bearing('guest'));
    assert.equal(guest.errors, []);
    const observer = await ask(url, list, undefined, { accept, ...bearing('observer') });
    assert.equal([observer.status, codesIn(observer)[0], observer.data], [403, '403 access-denied', null]);
    assert.is(asked.length, 2);
    assert.ok(authentication.decided.includes('denied eve bread:eat address-book'));
  });
});

test('rows are limited to the tenant and the scope of the caller, and a rule of the perspective hides more', async () => {
  const north = { tenantId: 'north', customerId: '01890a5d-ac96-774b-bcce-b302099a8057' };
  const ann = identityFrom({ source: 'test', scope: north, permissions: ['bread:eat'] });
  const authentication = { ...knownCallers(), identify: () => ann };
  const { owner: _, ...others } = addresses.columns ?? {};
  const columns = { ...others, customerId: { type: 'uuid', of: none } } as const;
  const limited = {
    ...addresses,
    columns,
    filters: ScopeFilters.Customer,
    authorize: (row: unknown) => JSON.stringify(row).includes('Low'),
  };
  const { models, asked } = book();
  const queries = perspectiveReads([limited], models, authentication);
  const text = onlyReads.replace('  owner: UuidFilter', '  customerId: UuidFilter');
  await withBakery({ http: { schema: text, queries, authentication } }, async ({ url }) => {
    const query =
      '{ shopAddresses(filter: { floors: { eq: 1 } }) { edges { node { street } } totalCount } shopAddress(id: 7) { street } }';
    const { data, errors } = await ask(url, query, undefined, bearing('ann'));
    assert.equal(errors, []);
    assert.equal(data, {
      shopAddresses: { edges: [{ node: { street: 'Low Street' } }], totalCount: 1 },
      shopAddress: null,
    });
  });
  assert.equal(
    asked.map(({ tenant, filters }) => [
      tenant,
      ...filters.map(({ column, values }) => `${column.name} ${values.join()}`),
    ]),
    [['north', `customerId ${north.customerId}`, 'floors 1']],
  );
  assert.ok(authentication.decided.includes('denied nobody bread:eat address-book'));
});

test('a public perspective is read without an identity', async () => {
  const authentication = knownCallers();
  const queries = perspectiveReads([{ ...addresses, permission: 'public' }], book().models, authentication);
  await withBakery({ http: { schema: onlyReads, queries, authentication } }, async ({ url }) => {
    const { data } = await ask(url, '{ shopAddress(id: 7) { street } }');
    assert.equal(data, { shopAddress: { street: 'High Street' } });
  });
});

const faultOf = (perspectives: readonly AnyPerspective[]): string => {
  try {
    executableSchema(schema, [], perspectiveReads(perspectives, book().models));
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
};

test('a schema that does not fit the perspectives stops the start', () => {
  assert.is(faultOf([addresses]), 'none');
  assert.match(faultOf([]), "no perspective answers 'shopAddresses'");
  assert.match(faultOf([{ ...addresses, columns: {} }]), "'shopAddresses' has other columns");
});

test('a perspective that the schema does not name is not read by GraphQL', () => {
  assert.is(faultOf([addresses, { ...addresses, name: 'other', route: '/others' }]), 'none');
});
