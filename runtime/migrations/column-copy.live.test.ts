import * as assert from 'uvu/assert';
import { MigrationItemFailed } from '../../contracts/events/migration.js';
import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '../../contracts/migration.js';
import { suite } from '../../contracts/testing/suite.js';
import { connect } from '../database/connect.js';
import { withDatabase } from '../kit/database.js';
import type { BatchOutcome } from './run-batch.js';
import { watchLockWaits } from './testing/lock-waits.js';
import { withWriters } from './testing/write-during-migration.js';
import { ledgerRow, migrateFiles, query } from './testing/migrations.js';

const test = suite('column copy');

const header = '-- svc: column-copy table=orders column=total type=numeric(12,2) using=total / 100.0';
const key = 'migrations/total.sql';

test('under write load no write fails, no one waits long, and no row differs', () =>
  withOrders(20_000, async (url) => {
    const { result: watched, longestMs } = await watchLockWaits(url, 'svc-migrate', () =>
      withWriters(url, 4, () => migrateFiles(url, { 'total.sql': header })),
    );
    const { result, writes } = watched;
    const outcome = result.batch.outcomes.at(-1);
    assert.is(outcome?.status, MigrationStatus.Applied, outcome?.description);
    assert.is(outcome?.step.strategy, MigrationStrategy.ColumnCopy);
    assert.equal(writes.failures, []);
    assert.ok(writes.before > 0 && writes.after > 0, JSON.stringify(writes));
    assert.ok(longestMs < 1_000, `a writer waited ${longestMs} ms for a lock`);
    // Writers before the swap write cents, those after it write what they find: the cents column is the reference.
    const differing = 'SELECT count(*) FROM orders WHERE cents IS DISTINCT FROM (total * 100)::int';
    assert.equal(await query(url, differing), [['0']]);
    assert.equal(await columnOf(url, 'total'), ['numeric(12,2)', 'true', '(0)::numeric(12,2)']);
  }));

test('indexes, NOT NULL and the default are copied, and the old column is kept until the clean-up', () =>
  withOrders(10, async (url) => {
    await query(url, 'CREATE INDEX by_total ON orders (total DESC, id)');
    await migrateFiles(url, { 'total.sql': header });
    const [index] = await query(url, "SELECT pg_get_indexdef('by_total'::regclass)");
    assert.match(index?.[0] ?? '', /USING btree \(total DESC, id\)$/);
    assert.equal(await columnOf(url, 'total__svc_old'), ['integer', 'false', null]);
    await query(url, 'INSERT INTO orders (id) VALUES (99)');
    assert.equal(await query(url, 'SELECT total FROM orders WHERE id = 99'), [['0.00']]);
    assert.equal(await query(url, "SELECT tgname FROM pg_trigger WHERE tgrelid = 'orders'::regclass"), []);
  }));

test('a table that already has the new type is left unchanged', () =>
  withDatabase(async (url) => {
    const files = {
      '1.sql': 'CREATE TABLE IF NOT EXISTS orders (id int, total numeric(12,2))',
      '2.sql': '-- svc: column-copy table=orders column=total type=numeric(12, 2)',
    };
    const { batch } = await migrateFiles(url, files);
    assert.is(batch.outcomes.at(-1)?.status, MigrationStatus.Applied);
    assert.equal(await query(url, "SELECT count(*) FROM pg_attribute WHERE attname LIKE '%\\_\\_svc\\_%'"), [
      ['0'],
    ]);
  }));

test('a row that has no value of the new type is a DataCopyFailed; writers continue, and nothing is left behind', () =>
  withDatabase(async (url) => {
    await query(
      url,
      "CREATE TABLE orders (id int, total text); INSERT INTO orders VALUES (1, '7'), (2, 'many')",
    );
    const files = { 'total.sql': '-- svc: column-copy table=orders column=total type=int' };
    const failed = await migrateFiles(url, files);
    mustBeReported(failed.batch, MigrationFailureReason.DataCopyFailed);
    await mustBeUntouched(url);
    await query(url, "UPDATE orders SET total = '9' WHERE total = 'many'");
    const { batch } = await migrateFiles(url, files);
    assert.is(batch.outcomes.at(-1)?.status, MigrationStatus.Applied);
    assert.equal(await query(url, 'SELECT total + 1 FROM orders ORDER BY id'), [['8'], ['10']]);
    assert.is((await ledgerRow(url, key))[3], '2');
  }));

test('an expression that returns another value each time is a DataCopyFailed', () =>
  withOrders(3, async (url) => {
    const files = { 'total.sql': '-- svc: column-copy table=orders column=total type=float8 using=random()' };
    const { batch } = await migrateFiles(url, files, { lockRetry: { retryForMs: 200 } });
    mustBeReported(batch, MigrationFailureReason.DataCopyFailed);
    assert.match(batch.failure?.message ?? '', /3 rows still differ/);
    await mustBeUntouched(url);
  }));

test('a type that the expression cannot have is a ColumnTypeMismatch, and the next start retries', () =>
  withOrders(3, async (url) => {
    const files = { 'total.sql': '-- svc: column-copy table=orders column=total type=date' };
    const failed = await migrateFiles(url, files);
    mustBeReported(failed.batch, MigrationFailureReason.ColumnTypeMismatch);
    await mustBeUntouched(url);
    await query(
      url,
      `ALTER TABLE orders ALTER total DROP DEFAULT, ALTER total TYPE text USING '2026-01-0' || id`,
    );
    const { batch } = await migrateFiles(url, files);
    assert.is(batch.outcomes.at(-1)?.status, MigrationStatus.Applied);
    assert.equal(
      await query(url, "SELECT to_char(total + 1, 'DD') FROM orders ORDER BY id"),
      ['02', '03', '04'].map((day) => [day]),
    );
  }));

test('a lock that cannot be acquired before the copy is a Timeout', () =>
  withOrders(3, async (url) => {
    const reader = await connect(url);
    await reader.query('BEGIN; SELECT * FROM orders');
    const { batch } = await migrateFiles(url, { 'total.sql': header }, { lockRetry: { retryForMs: 300 } });
    mustBeReported(batch, MigrationFailureReason.Timeout);
    await reader.end();
    await mustBeUntouched(url);
  }));

test('a swap that the server refuses is a SwapFailed, and the next start retries', () =>
  withOrders(3, async (url) => {
    await query(
      url,
      'ALTER TABLE orders ADD COLUMN total__svc_old int; CREATE VIEW kept AS SELECT total__svc_old FROM orders',
    );
    const failed = await migrateFiles(url, { 'total.sql': header });
    mustBeReported(failed.batch, MigrationFailureReason.SwapFailed);
    assert.match(
      failed.batch.failure?.message ?? '',
      /^Migration migrations\/total\.sql failed: cannot drop column/,
    );
    await mustBeUntouched(url);
    await query(url, 'DROP VIEW kept');
    const { batch } = await migrateFiles(url, { 'total.sql': header });
    assert.is(batch.outcomes.at(-1)?.status, MigrationStatus.Applied);
  }));

test('a swap that never gets its lock is a SwapFailed', () =>
  // Enough rows that the reader has its lock before the swap.
  withOrders(20_000, async (url) => {
    await query(url, 'ALTER TABLE orders ALTER total DROP NOT NULL');
    const reader = await connect(url);
    let isReading = false;
    const read = (): void => {
      if (!isReading) reader.query('BEGIN; SELECT id FROM orders LIMIT 1').catch(() => undefined);
      isReading = true;
    };
    const { batch } = await migrateFiles(
      url,
      { 'total.sql': header },
      { lockRetry: { retryForMs: 400 }, progress: read },
    );
    mustBeReported(batch, MigrationFailureReason.SwapFailed);
    await reader.end();
  }));

for (const [what, sql] of [
  ['a view', 'CREATE VIEW totals AS SELECT total FROM orders'],
  ['a check', 'ALTER TABLE orders ADD CONSTRAINT totals CHECK (total >= 0)'],
  ['an index over an expression', 'CREATE INDEX totals ON orders ((total + 1))'],
] as const) {
  test(`${what} that depends on the column is named before anything is changed`, () =>
    withOrders(3, async (url) => {
      await query(url, sql);
      const { batch } = await migrateFiles(url, { 'total.sql': header });
      assert.match(batch.failure?.message ?? '', /totals depends on orders\.total; drop it before the copy/);
      await mustBeUntouched(url);
    }));
}

/** Orders with the total in cents, and a second column of cents for comparison. */
function withOrders(count: number, body: (url: string) => Promise<void>): Promise<void> {
  return withDatabase(async (url) => {
    await query(
      url,
      `CREATE TABLE orders (id serial PRIMARY KEY, total int NOT NULL DEFAULT 0, cents int, note text);
      INSERT INTO orders (total, cents, note) SELECT n, n, repeat('x', 100) FROM generate_series(1, ${count}) n`,
    );
    await body(url);
  });
}

async function columnOf(url: string, name: string) {
  const [row] = await query(
    url,
    `SELECT format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid) FROM pg_attribute
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE attrelid = 'orders'::regclass AND attname = '${name}'`,
  );
  return row;
}

/** Checks the failure and its reason. */
function mustBeReported({ outcomes, events }: BatchOutcome, reason: MigrationFailureReason): void {
  assert.is(outcomes.at(-1)?.reason, reason);
  const failed = events.filter((event) => event instanceof MigrationItemFailed);
  assert.equal(
    failed.map(({ migrationKey, status, failureReason }) => [migrationKey, status, failureReason]),
    [[key, MigrationStatus.Failed, reason]],
  );
}

async function mustBeUntouched(url: string): Promise<void> {
  const [status, , hash] = await ledgerRow(url, key);
  assert.equal([status, hash], ['-1', null]);
  const left = `SELECT attname FROM pg_attribute WHERE attrelid = 'orders'::regclass AND attname LIKE '%\\_\\_svc\\_new'
    UNION SELECT tgname FROM pg_trigger WHERE tgrelid = 'orders'::regclass
    UNION SELECT proname FROM pg_proc WHERE proname LIKE 'zzz\\_svc\\_copy%'`;
  assert.equal(await query(url, left), []);
}
