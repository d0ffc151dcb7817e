import * as assert from 'uvu/assert';
import { MigrationStatus, MigrationStrategy } from '../../contracts/migration.js';
import { suite } from '../../contracts/testing/suite.js';
import { type MigrationItem, type PerspectiveShape, schemaItem, sha256 } from './migration-item.js';
import { type LedgerRow, perspectiveStrategy, planMigrations } from './plan.js';

const test = suite('migration plan');

test('an item that is not in the ledger is applied', () => {
  const { becomes, oldHash } = plan();
  assert.equal([becomes, oldHash], [MigrationStatus.Applied, null]);
});

test('an item with the hash of the ledger is skipped, whatever it was before', () => {
  for (const status of [MigrationStatus.Applied, MigrationStatus.Updated, MigrationStatus.Skipped])
    assert.is(plan({ status, hash }).becomes, MigrationStatus.Skipped);
});

test('an item whose hash has changed is updated', () => {
  const step = plan({ hash: 'old' });
  assert.is(step.becomes, MigrationStatus.Updated);
  assert.is(step.oldHash, 'old');
});

test('a failed item is retried; one whose text equals what was applied before is skipped', () => {
  const status = MigrationStatus.Failed;
  assert.is(plan({ status, hash: 'old' }).becomes, MigrationStatus.Updated);
  assert.is(plan({ status, hash: null }).becomes, MigrationStatus.Applied);
  assert.is(plan({ status, hash, failedHash: 'edited' }).becomes, MigrationStatus.Skipped);
});

test('a file of our own schema that differs from the one of the store is refused', () => {
  const [other] = planMigrations([schemaItem(item)], [row({ hash: 'old' })], versions);
  assert.is(other?.becomes, MigrationStatus.Failed);
});

test('what belongs to a file decides beside its text whether it runs again', () => {
  const [one, other] = ['no role', 'svc_runtime'].map((again) => schemaItem({ ...item, again }));
  assert.is.not(one?.hash, other?.hash);
  assert.is(one?.isRepeatable, true);
});

test('a file that was edited after it was applied is rejected with both hashes, unless it is repeatable', () => {
  const known = row({ hash: 'old' });
  const file: MigrationItem = { ...schemaItem(item), owner: 'application' };
  const [edited] = planMigrations([file], [known], versions);
  assert.is(edited?.becomes, MigrationStatus.Failed);
  assert.match(edited?.refusal ?? '', new RegExp(`applied with the hash old and now has ${hash};`));
  const [again] = planMigrations([{ ...file, isRepeatable: true }], [known], versions);
  assert.equal([again?.becomes, again?.refusal], [MigrationStatus.Updated, undefined]);
});

test('every item is planned, in order; other rows of the ledger are left unchanged', () => {
  const items = ['c', 'a', 'b'].map((key) => schemaItem({ key, sql: key }));
  assert.equal(
    planMigrations(items, [row({ key: 'gone', hash: 'x' })], versions).map((step) => step.item.key),
    ['c', 'a', 'b'],
  );
});

test('the hash is the SHA-256 of the text', () => {
  assert.is(plan().item.hash, sha256(item.sql));
});

test('an item recorded by a newer version is left unchanged, one of an older version is updated', () => {
  const newer = plan({ hash: 'other', libraryVersion: '2.1.0' });
  assert.equal([newer.becomes, newer.isLeftAlone], [MigrationStatus.Skipped, true]);
  const older = plan({ hash: 'other', libraryVersion: '1.9.0', superseded: [hash] });
  assert.equal([older.becomes, older.isLeftAlone], [MigrationStatus.Updated, false]);
});

test('among equal versions the hash that was replaced is the older one', () => {
  assert.is(plan({ hash: 'other', superseded: [hash] }).isLeftAlone, true);
  assert.is(plan({ hash: 'other', superseded: ['another'] }).becomes, MigrationStatus.Updated);
});

test('a service without a version is decided by the replaced hashes', () => {
  const mine: MigrationItem = { ...schemaItem(item), owner: 'application' };
  const known = row({ hash: 'other', superseded: [hash], libraryVersion: '9.0.0' });
  const [step] = planMigrations([mine], [known], { library: '2.0.0', application: null });
  assert.is(step?.isLeftAlone, true);
});

test('an older host does not retry an item at which a newer one failed', () => {
  const failed = { status: MigrationStatus.Failed, hash, failedHash: 'newer' };
  assert.is(plan({ ...failed, libraryVersion: '3.0.0' }).isLeftAlone, true);
  const own = plan({ ...failed, libraryVersion: '2.0.0' });
  assert.equal([own.becomes, own.isLeftAlone], [MigrationStatus.Skipped, false]);
});

test('a background replay keeps its status until it has ended', () => {
  const step = plan({ status: MigrationStatus.MigratingInBackground, hash });
  assert.is(step.becomes, MigrationStatus.MigratingInBackground);
  assert.is(step.strategy, MigrationStrategy.EventReplay);
});

const shape: PerspectiveShape = {
  events: ['A', 'B'],
  origin: 'own',
  version: 1,
  columns: { status: 'text' },
};
for (const [title, changed, strategy] of [
  ['the same columns', {}, MigrationStrategy.DirectDdl],
  ['events in another order', { events: ['B', 'A'] }, MigrationStrategy.DirectDdl],
  ['an added column', { columns: { status: 'text', total: 'numeric' } }, MigrationStrategy.ColumnCopy],
  ['a removed column', { columns: {} }, MigrationStrategy.EventReplay],
  ['a renamed column', { columns: { state: 'text' } }, MigrationStrategy.EventReplay],
  ['a changed type', { columns: { status: 'integer' } }, MigrationStrategy.EventReplay],
  ['another version', { version: 2 }, MigrationStrategy.EventReplay],
  ['events of other stores', { origin: 'all' }, MigrationStrategy.EventReplay],
  ['another event type', { events: ['A'] }, MigrationStrategy.EventReplay],
] as const) {
  test(`a perspective with ${title} uses ${strategy}`, () => {
    assert.is(perspectiveStrategy({ ...shape, ...changed }, { hash: 'old', shape }), strategy);
  });
}

test('a perspective without a table is created directly', () => {
  assert.is(perspectiveStrategy(shape, undefined), MigrationStrategy.DirectDdl);
});

const item = { key: 'tables', sql: 'CREATE TABLE t ()' };
const hash = sha256(item.sql);
const repeatable: MigrationItem = { ...schemaItem(item), isRepeatable: true };
const versions = { library: '2.0.0', application: null };

function row(known: Partial<LedgerRow>): LedgerRow {
  return {
    key: item.key,
    status: MigrationStatus.Applied,
    hash: null,
    libraryVersion: '2.0.0',
    applicationVersion: null,
    superseded: [],
    ...known,
  };
}

function plan(...known: Partial<LedgerRow>[]) {
  const [step] = planMigrations([repeatable], known.map(row), versions);
  assert.ok(step);
  return step;
}
