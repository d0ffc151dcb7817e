import * as assert from 'uvu/assert';
import { MigrationItemFailed } from '../../contracts/events/migration.js';
import { MigrationFailureReason, MigrationStatus } from '../../contracts/migration.js';
import { suite } from '../../contracts/testing/suite.js';
import { connect } from '../database/connect.js';
import { withDatabase } from '../kit/database.js';
import { applicationItems } from './application-migrations.js';
import { tryToMigrate } from './migrate.js';
import { watchLockWaits } from './testing/lock-waits.js';
import { type Files, ledgerRow, migrateFiles, migrateOwn as own, query } from './testing/migrations.js';

const test = suite('migrations of a service');

const repeatable = '-- svc: repeatable\n';

test('the files of a service are applied once, in the order of their names', () =>
  withDatabase(async (url) => {
    const files = {
      '002-more.sql': `${repeatable}ALTER TABLE loaves ADD COLUMN IF NOT EXISTS weight int`,
      '001-loaves.sql': 'CREATE TABLE IF NOT EXISTS loaves (id int)',
    };
    assert.equal(await own(url, files), [
      ['migrations/001-loaves.sql', MigrationStatus.Applied],
      ['migrations/002-more.sql', MigrationStatus.Applied],
    ]);
    assert.equal(
      (await own(url, files)).map(([, status]) => status),
      [MigrationStatus.Skipped, MigrationStatus.Skipped],
    );
    const crust = `${repeatable}ALTER TABLE loaves ADD COLUMN IF NOT EXISTS crust text`;
    const changed = { ...files, '002-more.sql': crust };
    assert.equal((await own(url, changed))[1], ['migrations/002-more.sql', MigrationStatus.Updated]);
    assert.equal(await query(url, 'SELECT id, weight, crust FROM loaves'), []);
  }));

test('a statement that the server refuses is an SqlError; the item has no hash and is retried', () =>
  withDatabase(async (url) => {
    const files = { 'a.sql': 'CREATE TABLE half (); INSERT INTO nowhere VALUES (1)' };
    assert.equal(await failureOf(url, files), MigrationFailureReason.SqlError);
    assert.equal(await query(url, "SELECT to_regclass('half')"), [[null]]);
    const [status, description, hash] = await ledgerRow(url, 'migrations/a.sql');
    assert.equal([status, hash], ['-1', null]);
    assert.match(description ?? '', 'nowhere');
    await query(url, 'CREATE TABLE nowhere (x int)');
    assert.equal(await own(url, files), [['migrations/a.sql', MigrationStatus.Applied]]);
    assert.is((await ledgerRow(url, 'migrations/a.sql'))[3], '2');
  }));

for (const [kind, sql, place] of [
  ['in one transaction', 'CREATE TABLE a ();\n-- 🥖\n  CREATE TABEL b ();', '3:10'],
  [
    'by statements',
    'CREATE TABLE a ();\n\n/* 🥖 */ CREATE UNIQUE INDEX CONCURRENTLY i ON a (nope, );',
    '3:56',
  ],
  ['whose column is not there', "SELECT '🥖', nope", '1:13'],
] as const) {
  test(`a file ${kind} with an error names line and column, in the failure, the event and the ledger`, () =>
    withDatabase(async (url) => {
      const { batch } = await migrateFiles(url, { '1.sql': sql });
      assert.match(batch.failure?.detail ?? '', `Migration migrations/1.sql failed: line ${place}: `);
      const failed = batch.events.find((event) => event instanceof MigrationItemFailed);
      assert.match(String(failed?.error), new RegExp(`^line ${place}: `));
      assert.match((await ledgerRow(url, 'migrations/1.sql'))[1] ?? '', new RegExp(`^line ${place}: `));
    }));
}

test('a lock that cannot be acquired is a Timeout, and no one waits long behind it', () =>
  withDatabase(async (url) => {
    await query(url, 'CREATE TABLE busy (x int)');
    const reader = await connect(url);
    await reader.query('BEGIN; SELECT * FROM busy');
    const writer = await connect(url);
    const files = { 'a.sql': 'ALTER TABLE busy ADD COLUMN y int' };
    const { result, longestMs } = await watchLockWaits(url, 'svc-migrate', async () => {
      const attempt = migrateFiles(url, files, { lockRetry: { retryForMs: 1_500 } });
      for (const until = Date.now() + 1_500; Date.now() < until;)
        await writer.query('INSERT INTO busy VALUES (1)');
      return attempt;
    });
    assert.is(reasonOf(result), MigrationFailureReason.Timeout);
    assert.ok(longestMs < 1_000, `a writer waited ${longestMs} ms`);
    assert.is((await ledgerRow(url, 'migrations/a.sql'))[0], '-1');
    await Promise.all([reader.end(), writer.end()]);
    assert.equal(await own(url, files), [['migrations/a.sql', MigrationStatus.Applied]]);
  }));

test('a type that cannot become another one is a ColumnTypeMismatch, and the next start retries', () =>
  withDatabase(async (url) => {
    await query(url, "CREATE TABLE loaves (baked date); INSERT INTO loaves VALUES ('2026-01-07')");
    const files = { 'a.sql': 'ALTER TABLE loaves ALTER baked TYPE int USING baked::int' };
    assert.is(await failureOf(url, files), MigrationFailureReason.ColumnTypeMismatch);
    assert.is((await ledgerRow(url, 'migrations/a.sql'))[0], '-1');
    await query(url, "ALTER TABLE loaves ALTER baked TYPE text USING to_char(baked, 'DD')");
    assert.equal(await own(url, files), [['migrations/a.sql', MigrationStatus.Applied]]);
    assert.equal(await query(url, 'SELECT baked + 1 FROM loaves'), [['8']]);
  }));

test('an index is built CONCURRENTLY outside a transaction, and an interrupted build is repeated', () =>
  withDatabase(async (url) => {
    await query(url, 'CREATE TABLE loaves (kind text); INSERT INTO loaves VALUES (1), (1)');
    const files = {
      'a.sql': `INSERT INTO loaves VALUES ('once');
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS loaves_kind ON loaves (kind);`,
    };
    assert.is(await failureOf(url, files), MigrationFailureReason.SqlError);
    const valid = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'loaves_kind'::regclass";
    assert.equal(await query(url, valid), [['false']]);
    await query(url, "DELETE FROM loaves WHERE kind = '1'");
    assert.equal(await own(url, files), [['migrations/a.sql', MigrationStatus.Applied]]);
    assert.equal(await query(url, valid), [['true']]);
    assert.equal(await query(url, 'SELECT kind FROM loaves'), [['once']]);
  }));

test('an older version of a service changes nothing of a newer one, and a newer one continues', () =>
  withDatabase(async (url) => {
    const view = (columns: string): Files => ({
      'v.sql': `${repeatable}CREATE OR REPLACE VIEW menu AS SELECT ${columns}`,
    });
    const start = async (columns: string, version: string | null) =>
      (await own(url, view(columns), version))[0]?.[1];
    assert.is(await start('1 AS a', '1.0.0'), MigrationStatus.Applied);
    assert.is(await start('1 AS a, 2 AS b', '1.1.0'), MigrationStatus.Updated);
    const before = await query(
      url,
      "SELECT * FROM svc_schema_migrations WHERE migration_key = 'migrations/v.sql'",
    );
    assert.is(await start('1 AS a', '1.0.0'), MigrationStatus.Skipped);
    assert.equal(
      await query(url, "SELECT * FROM svc_schema_migrations WHERE migration_key = 'migrations/v.sql'"),
      before,
    );
    assert.equal(await query(url, 'SELECT * FROM menu'), [['1', '2']]);
    assert.is(await start('1 AS a, 2 AS b, 3 AS c', '1.2.0'), MigrationStatus.Updated);
    assert.is(await start('1 AS a, 2 AS b', '1.1.0'), MigrationStatus.Skipped);
    assert.equal(await query(url, 'SELECT * FROM menu'), [['1', '2', '3']]);
  }));

test('without versions two services side by side do not conflict either', () =>
  withDatabase(async (url) => {
    const older = { 'v.sql': `${repeatable}CREATE OR REPLACE VIEW menu AS SELECT 1 AS a` };
    const newer = { 'v.sql': `${repeatable}CREATE OR REPLACE VIEW menu AS SELECT 1 AS a, 2 AS b` };
    await own(url, older);
    await own(url, newer);
    for (let round = 0; round < 3; round++) {
      await Promise.all([own(url, older), own(url, newer), own(url, older)]);
    }
    assert.equal(await query(url, 'SELECT * FROM menu'), [['1', '2']]);
    assert.is((await ledgerRow(url, 'migrations/v.sql'))[3], '2', 'applied once, updated once');
  }));

for (const [what, sql] of [
  ['ends its own transaction', 'BEGIN; CREATE TABLE loaves (id int); COMMIT; SELECT 1 / 0'],
  ['ends ours', 'CREATE TABLE loaves (id int); END; CREATE TABLE rolls (id int)'],
  ['begins one beside an index', 'CREATE TABLE loaves (id int); START TRANSACTION; VACUUM'],
] as const) {
  test(`a file that ${what} is an SqlError before any of it runs`, () =>
    withDatabase(async (url) => {
      const application = applicationItems(listed({ '1.sql': sql }));
      const migrated = await tryToMigrate({ ownerUrl: url, application });
      assert.match(
        migrated.batch.failure?.detail ?? '',
        /1\.sql failed: line 1 contains (?:BEGIN|END|START).*remove it/,
      );
      assert.is(reasonOf(migrated), MigrationFailureReason.SqlError);
      assert.equal(await query(url, "SELECT to_regclass('loaves')"), [[null]]);
      assert.is((await ledgerRow(url, 'migrations/1.sql'))[0], '-1');
    }));
}

test('session settings of a file are reset after it', () =>
  withDatabase(async (url) => {
    const files = {
      '1.sql': "SELECT set_config('search_path', '', false); CREATE TABLE public.loaves (id int)",
      '2.sql': "SET statement_timeout = '33s'; CREATE TABLE rolls (id int)",
      '3.sql': "CREATE TABLE buns AS SELECT current_setting('statement_timeout') AS patience",
    };
    assert.equal(
      (await own(url, files)).map(([, status]) => status),
      [MigrationStatus.Applied, MigrationStatus.Applied, MigrationStatus.Applied],
    );
    assert.equal(await query(url, "SELECT to_regclass('public.rolls'), patience FROM public.buns"), [
      ['rolls', '10min'],
    ]);
  }));

test('a contract step rejects hosts below its level, and only those', () =>
  withDatabase(async (url) => {
    const expand = { '1.sql': '-- svc: level=2\nCREATE TABLE IF NOT EXISTS loaves (weight int, grams int)' };
    const contract = {
      ...expand,
      '2.sql': '-- svc: min-level=2\nALTER TABLE loaves DROP COLUMN IF EXISTS weight',
    };
    await own(url, {});
    await own(url, expand);
    await own(url, {});
    await own(url, contract);
    await own(url, expand);
    const failure: unknown = await own(url, {}).catch((error: unknown) => error);
    assert.match(
      String(failure),
      "This host is built for level 1 of the application's schema, the database requires at least 2; start a newer version.",
    );
    assert.equal(
      await query(url, "SELECT schema_level, min_level FROM svc_schema_levels WHERE owner = 'application'"),
      [['2', '2']],
    );
  }));

test('a host with nothing to migrate does not wait for one that migrates', () =>
  withDatabase(async (url) => {
    const old = { '1.sql': 'CREATE TABLE IF NOT EXISTS loaves (weight int)' };
    await own(url, old);
    const reader = await connect(url);
    await reader.query('BEGIN; LOCK TABLE loaves IN ACCESS SHARE MODE');
    const newer = migrateFiles(url, {
      ...old,
      '2.sql': 'ALTER TABLE loaves ADD COLUMN IF NOT EXISTS crust text',
    });
    await query(url, 'SELECT pg_sleep(0.5)');
    assert.equal(await own(url, old), [['migrations/1.sql', MigrationStatus.Skipped]]);
    await reader.end();
    assert.is((await newer).batch.failure, undefined);
  }));

const reasonOf = ({ batch }: Awaited<ReturnType<typeof tryToMigrate>>): number | undefined =>
  batch.outcomes.at(-1)?.reason;

const failureOf = async (url: string, files: Files): Promise<number | undefined> =>
  reasonOf(await tryToMigrate({ ownerUrl: url, application: applicationItems(listed(files)) }));

const listed = (files: Files) => Object.entries(files).map(([name, sql]) => ({ name, sql }));
