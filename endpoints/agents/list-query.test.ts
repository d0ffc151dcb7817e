import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { listQueryIn } from './list-query.js';
import type { ToolDocument } from './tool-entry.js';

const test = suite('lists that agents read');

const columns = [
  { name: 'status', type: 'text' },
  { name: 'total', type: 'numeric' },
  { name: 'margin', type: 'numeric' },
] as const;
const document: ToolDocument = {
  name: 'orders_list',
  title: 'Orders',
  description: 'Orders.',
  outputSchema: {},
  inputSchema: {
    type: 'object',
    properties: {
      filter: { type: 'object', properties: { status: {}, total: {} } },
      pageSize: { type: 'integer', maximum: 20 },
    },
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};
const query = (args: Readonly<Record<string, unknown>>) => listQueryIn(args, document, columns);
const faultsOf = (args: Readonly<Record<string, unknown>>): readonly string[] => {
  try {
    query(args);
  } catch (error) {
    if (error instanceof Problem)
      return (error.errors ?? []).map(({ path, message }) => `${path} ${message}`);
  }
  return [];
};

test('filters, an order and a size are those of a URL', () => {
  const found = query({
    filter: { status: 'paid', total: { gte: 5, lt: '10' } },
    sort: '-total',
    pageSize: 7,
  });
  assert.equal(
    found.filters.map(({ name, operator, values }) => [name, operator, ...values]),
    [
      ['status', 'eq', 'paid'],
      ['total', 'gte', '5'],
      ['total', 'lt', '10'],
    ],
  );
  assert.equal([found.sort, found.pageSize], [[{ name: 'total', descending: true }], 7]);
});

test('no answer has more rows than the tool allows', () => {
  assert.is(query({ pageSize: 100 }).pageSize, 20);
});

test('a column that agents do not see can be neither filtered nor sorted by', () => {
  assert.match(faultsOf({ filter: { margin: { gt: 1 } } })[0] ?? '', /^\/filter\/margin\/gt is not a column/);
  assert.match(faultsOf({ sort: 'margin' })[0] ?? '', /^\/sort knows no column 'margin'/);
});

test('what is no parameter, or has no such value, is refused', () => {
  assert.equal(faultsOf({ page: 1, filter: 3, sort: ['total'] }), [
    '/page is not known',
    '/filter must be an object',
    '/sort must be text, a number, true or false',
  ]);
  assert.throws(() => query({ filter: { status: 'x'.repeat(20_000) } }), /at most 16384 characters/);
  assert.match(faultsOf({ filter: { total: { near: 1 } } })[0] ?? '', /is not a comparison/);
});
