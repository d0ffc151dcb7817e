import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MigrationStatus } from '../../contracts/migration.js';
import { type LedgerRow, planMigrations } from './plan.js';

const test = suite('migration plan');

test('an item that the ledger does not know is applied', () => {
  assert.equal(plan(), { ...item, hash, oldHash: null, becomes: MigrationStatus.Applied });
});

test('an item with the hash of the ledger is skipped, whatever it was before', () => {
  for (const status of [MigrationStatus.Applied, MigrationStatus.Updated, MigrationStatus.Skipped])
    assert.is(plan({ key: 'tables', status, hash }).becomes, MigrationStatus.Skipped);
});

test('an item whose hash has changed is updated', () => {
  const step = plan({ key: 'tables', status: MigrationStatus.Applied, hash: 'old' });
  assert.is(step.becomes, MigrationStatus.Updated);
  assert.is(step.oldHash, 'old');
});

test('an item that failed is tried again, even when its hash is the old one', () => {
  const failed = { key: 'tables', status: MigrationStatus.Failed };
  assert.is(plan({ ...failed, hash }).becomes, MigrationStatus.Updated);
  assert.is(plan({ ...failed, hash: 'old' }).becomes, MigrationStatus.Updated);
  assert.is(plan({ ...failed, hash: null }).becomes, MigrationStatus.Applied);
});

test('every item is planned, in order; what else the ledger knows is left alone', () => {
  const items = ['c', 'a', 'b'].map((key) => ({ key, sql: key }));
  const ledger = [{ key: 'gone', status: MigrationStatus.Applied, hash: 'x' }];
  assert.equal(
    planMigrations(items, ledger).map(({ key }) => key),
    ['c', 'a', 'b'],
  );
});

test('the hash is the SHA-256 of the text', () => {
  assert.is(plan().hash, createHash('sha256').update(item.sql).digest('hex'));
});

test.run();

const item = { key: 'tables', sql: 'CREATE TABLE t ()' };
const hash = createHash('sha256').update(item.sql).digest('hex');

function plan(...ledger: LedgerRow[]) {
  const [step] = planMigrations([item], ledger);
  assert.ok(step);
  return step;
}
