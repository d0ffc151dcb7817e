import * as assert from 'uvu/assert';
import { CommandAudited, EventAudited } from '../../../contracts/events/audited.js';
import type { AnyPerspective } from '../../../contracts/perspective.js';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { perspectiveTable, perspectiveTables } from './perspective-table.js';

const test = suite('perspective table');

const declared = (over: object = {}): AnyPerspective => ({
  name: 'order-summary',
  events: [EventAudited, CommandAudited],
  initial: () => ({}),
  apply: (model) => model,
  columns: {
    status: { type: 'text', of: () => 'new' },
    customerId: { type: 'uuid', of: () => null },
  },
  ...over,
});

const fault = (over: object): string => {
  try {
    perspectiveTable(declared(over));
  } catch (error) {
    assert.instance(error, Problem);
    assert.is((error as Problem).code, 'invalid-setup');
    return (error as Problem).message;
  }
  return '';
};

test('its table name contains the first eight digits of its hash, its view only the name', () => {
  const table = perspectiveTable(declared());
  assert.match(table.hash, /^[0-9a-f]{64}$/);
  assert.is(table.table, `svc_per_order_summary_${table.hash.slice(0, 8)}`);
  assert.is(table.view, 'svc_per_order_summary');
  assert.equal(table.types, ['CommandAudited', 'EventAudited']);
});

test('declared columns are snake_case in the table and keep the name that readers use', () => {
  const columns = perspectiveTable(declared()).columns.map(({ name, column, type }) => [name, column, type]);
  assert.equal(columns, [
    ['customerId', 'customer_id', 'uuid'],
    ['status', 'status', 'text'],
  ]);
});

test('a column that is only a type has the value of the field with its name', () => {
  const columns = { customerId: 'uuid', total: { type: 'numeric', of: () => 7 } };
  const [customer, total] = perspectiveTable(declared({ columns })).columns;
  assert.equal([customer?.type, total?.type], ['uuid', 'numeric']);
  assert.equal([customer?.of({ customerId: 'c' }), total?.of({ total: 1 })], ['c', 7]);
  assert.is(customer?.of('no object'), null);
  const [inherited] = perspectiveTable(declared({ columns: { toString: 'text' } })).columns;
  assert.is(inherited?.of({}), null);
});

test('the hash changes with events, their origin, the rows they make, columns and version, not with their order or with apply', () => {
  const { hash } = perspectiveTable(declared());
  const of = (over: object) => perspectiveTable(declared(over)).hash;
  assert.is(of({ events: [CommandAudited, EventAudited], apply: () => null, snapshotEvery: 7 }), hash);
  assert.is.not(of({ events: [CommandAudited] }), hash);
  assert.is.not(of({ version: 2 }), hash);
  assert.is.not(of({ origin: 'all' }), hash);
  assert.is(of({ origin: 'own' }), hash);
  assert.is.not(of({ columns: { status: { type: 'text', of: () => '' } } }), hash);
  assert.is.not(of({ name: 'order-list' }), hash);
  const keyed = of({ key: () => 'all', late: 'apply' });
  assert.is.not(keyed, hash);
  assert.is(of({ key: () => ['all', 'some'], late: 'apply' }), keyed);
  assert.is.not(of({ key: () => 'all', late: 'rebuild' }), keyed);
});

test('an invalid declaration is rejected with a remedy', () => {
  assert.match(fault({ name: 'OrderSummary' }), /kebab-case/);
  assert.match(fault({ name: 'x'.repeat(41) }), /at most 40/);
  assert.match(fault({ events: [] }), /takes no events/);
  assert.match(fault({ events: [undefined] }), /not an event class/);
  assert.match(
    fault({ columns: { total: { type: 'money', of: () => 1 } } }),
    /type 'money'; use one of text/,
  );
  assert.match(fault({ columns: { 'a"b': { type: 'text', of: () => 1 } } }), /camelCase/);
  assert.match(fault({ columns: { total: { type: 'text' } } }), /without a value/);
  assert.match(fault({ columns: { total: 'money' } }), /type 'money'; use one of text/);
  assert.match(
    fault({ columns: { updatedAt: { type: 'text', of: () => 1 } } }),
    /'updated_at' is already used/,
  );
  assert.match(fault({ columns: { xmin: 'text' } }), /'xmin' is already used/);
  assert.match(fault({ origin: 'any' }), /origin: "any"; use 'own', 'others' or 'all'/);
  assert.match(
    fault({ origin: 'others' }),
    /takes EventAudited, which comes only from its own store; use 'all'/,
  );
  assert.match(fault({ late: 'never' }), /late: "never"/);
  assert.match(fault({ key: () => 'all' }), /key of its own.*add late: 'apply' or 'rebuild'/);
  assert.is(perspectiveTable({ ...declared(), key: () => 'all', late: 'apply' }).byStream, false);
  assert.match(fault({ snapshotEvery: 0 }), /snapshotEvery/);
  assert.match(fault({ version: 1.5 }), /version/);
  assert.match(fault({ apply: undefined }), /needs apply\(model, event\)/);
  assert.match(fault({ initial: {} }), /initial that is not a function/);
  assert.is(fault({ initial: undefined }), '');
});

test('two perspectives of one name are rejected', () => {
  assert.throws(() => perspectiveTables([declared(), declared({ version: 2 })]), /declared twice/);
  assert.is(perspectiveTables([declared(), declared({ name: 'other' })]).length, 2);
});
