import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { MigrationStatus } from '../../contracts/migration.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { connect } from '../database/connect.js';
import { type Database, openDatabase, type Row } from '../database/database.js';
import { openPostgresStore } from '../store/postgres-event-store.js';
import { prune } from '../store/prune.js';
import { withDatabase } from '../kit/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { version } from '../lang/version.js';
import { migrate } from './migrate.js';
import { schemaOf } from '../schema/items.js';

const items = schemaOf('svc_runtime').files.map(({ key }) => key);

/** All items are Skipped except for these. */
const exceptFor = (others: Readonly<Record<string, MigrationStatus>>) =>
  items.map((key) => [key, others[key] ?? MigrationStatus.Skipped]);

const test = suite('migrate');

test('on an empty database every item is applied and recorded', () =>
  withDatabase(async (url) => {
    const { steps, role } = await migrate({ ownerUrl: url });
    assert.equal(
      steps.map(({ key, becomes }) => [key, becomes]),
      items.map((key) => [key, MigrationStatus.Applied]),
    );
    assert.is(role, 'svc_runtime');
    const ledger = await query(
      url,
      'SELECT migration_key, status, hash, attempts, library_version FROM svc_schema_migrations ORDER BY updated_at',
    );
    assert.equal(
      ledger,
      steps.map(({ key, hash }) => [key, '1', hash, '1', version]),
    );
  }));

test('a second time every item is skipped and the store keeps its id', () =>
  withDatabase(async (url) => {
    await migrate({ ownerUrl: url });
    const id = await query(url, 'SELECT id FROM svc_store');
    const { steps } = await migrate({ ownerUrl: url });
    assert.equal(new Set(steps.map(({ becomes }) => becomes)), new Set([MigrationStatus.Skipped]));
    assert.equal(await query(url, 'SELECT DISTINCT status, attempts FROM svc_schema_migrations'), [
      ['3', '1'],
    ]);
    assert.equal(await query(url, 'SELECT id FROM svc_store'), id);
  }));

const older = (key: string): string =>
  `UPDATE svc_schema_migrations SET hash = 'older' WHERE migration_key = '${key}'`;

test('a repeatable item whose hash has changed is updated, and what is stored stays', () =>
  withMigratedDatabase(async ({ url, openStore }) => {
    await openStore().append(newUuid(), event());
    await query(url, older('svc/privileges'));
    const { steps } = await migrate({ ownerUrl: url });
    assert.equal(
      steps.map(({ key, becomes }) => [key, becomes]),
      exceptFor({ 'svc/privileges': MigrationStatus.Updated }),
    );
    const row = await ledgerRow(url, 'svc/privileges');
    assert.equal(row, ['2', 'updated, its hash changed', steps.at(-1)?.hash, '2']);
    assert.equal(await query(url, 'SELECT count(*) FROM svc_events'), [['1']]);
  }));

test('a store with another baseline is refused in one line that says what to delete, and stays as it is', () =>
  withDatabase(async (url) => {
    await migrate({ ownerUrl: url });
    await query(url, older('svc/commit'));
    const before = await query(url, 'SELECT * FROM svc_schema_migrations ORDER BY 1');
    const failure = await migrate({ ownerUrl: url }).catch(errorOf);
    assert.ok(failure instanceof Problem);
    assert.match(
      failure.detail ?? '',
      /^The store in the database \w+ was made by another build of svc-runtime \(svc\/commit differs\); drop this database, or delete the data folder of an embedded server [^\n]+$/,
    );
    assert.equal(await query(url, 'SELECT * FROM svc_schema_migrations ORDER BY 1'), before);
  }));

test('an item that fails stops the start, has no hash yet, and is applied when the cause is fixed', () =>
  withDatabase(async (url) => {
    await query(url, 'CREATE TABLE svc_event_stream ()');
    const failure = await migrate({ ownerUrl: url }).catch(errorOf);
    assert.ok(failure instanceof Problem);
    assert.is(failure.code, 'invalid-setup');
    assert.match(failure.detail ?? '', 'svc/views');
    const [status, description, hash] = await ledgerRow(url, 'svc/views');
    assert.equal([status, hash], ['-1', null]);
    assert.match(description ?? '', 'svc_event_stream');
    assert.equal((await ledgerRow(url, 'svc/commit'))[0], '1');
    assert.equal(
      await query(url, "SELECT 1 FROM svc_schema_migrations WHERE migration_key = 'svc/privileges'"),
      [],
    );

    await query(url, 'DROP TABLE svc_event_stream');
    const { steps } = await migrate({ ownerUrl: url });
    assert.equal(
      steps.map(({ key, becomes }) => [key, becomes]),
      exceptFor(
        Object.fromEntries(
          items.slice(items.indexOf('svc/views')).map((key) => [key, MigrationStatus.Applied]),
        ),
      ),
    );
    const [, , , attempts] = await ledgerRow(url, 'svc/views');
    assert.is(attempts, '2');
  }));

test('an item that fails to update keeps its old hash and is retried', () =>
  withDatabase(async (url) => {
    await migrate({ ownerUrl: url });
    await query(url, older('svc/privileges'));
    await query(url, 'ALTER VIEW svc_dead_letters RENAME TO lost');
    assert.is((await migrate({ ownerUrl: url }).catch(errorOf)) instanceof Problem, true);
    const [status, , hash] = await ledgerRow(url, 'svc/privileges');
    assert.equal([status, hash], ['-1', 'older']);

    await query(url, 'ALTER VIEW lost RENAME TO svc_dead_letters');
    const { steps } = await migrate({ ownerUrl: url });
    const privileges = steps.at(-1);
    assert.is(privileges?.becomes, MigrationStatus.Updated);
    assert.is((await ledgerRow(url, 'svc/privileges'))[2], privileges?.hash);
  }));

test('a failed item leaves no partial changes', () =>
  withDatabase(async (url) => {
    await query(url, 'CREATE TABLE svc_system_stream ()');
    await migrate({ ownerUrl: url }).catch(errorOf);
    assert.equal(await query(url, "SELECT to_regclass('svc_event_stream')"), [[null]]);
  }));

test('hosts that start together migrate one at a time', () =>
  withDatabase(async (url) => {
    const runs = await Promise.all([1, 2, 3, 4].map(() => migrate({ ownerUrl: url })));
    const applied = runs.filter(({ steps }) =>
      steps.every(({ becomes }) => becomes === MigrationStatus.Applied),
    );
    const skipped = runs.filter(({ steps }) =>
      steps.every(({ becomes }) => becomes === MigrationStatus.Skipped),
    );
    assert.equal([applied.length, skipped.length], [1, 3]);
  }));

test('a connection without a default schema is rejected', () =>
  withDatabase(async (url) => {
    const failure = await migrate({ ownerUrl: withSearchPath(url, 'nowhere') }).catch(errorOf);
    assert.ok(failure instanceof Problem && failure.code === 'invalid-setup');
    assert.match(failure.detail ?? '', 'search_path');
  }));

test('the search_path of the URL selects the schema of a store, and two stores do not interfere', () =>
  withDatabase(async (url) => {
    await query(url, 'CREATE SCHEMA "Tenant A"; CREATE SCHEMA b');
    const stream = newUuid();
    for (const schema of ['"Tenant A"', 'b']) {
      const ownerUrl = withSearchPath(url, schema);
      const { role = '' } = await migrate({ ownerUrl });
      await withOpen(openDatabase({ url: ownerUrl, role }), async (database) => {
        const store = openPostgresStore(database, { host: schema });
        assert.equal(await store.append(stream, event()), { positions: [1], globalPositions: [1] });
        assert.equal(await database.rows({ text: 'SELECT current_user' }), [['svc_runtime']]);
        await store.close();
      });
    }
    assert.equal(
      await query(url, 'SELECT host FROM "Tenant A".svc_events UNION SELECT host FROM b.svc_events'),
      [['"Tenant A"'], ['b']],
    );
    assert.equal(await query(url, "SELECT to_regclass('public.svc_events')"), [[null]]);
  }));

test('the runtime role reads and calls the commit', () =>
  withMigratedDatabase(async (database) => {
    assert.equal((await database.openStore().append(newUuid(), event())).positions, [1]);
    const runtime = database.connect();
    assert.equal(await runtime.rows({ text: 'SELECT current_user' }), [['svc_runtime']]);
    for (const readable of [
      ...tables,
      'svc_store',
      'svc_event_stream',
      'svc_system_stream',
      'svc_schema_migrations',
      'svc_outbox_pending',
      'svc_dead_letters',
    ])
      await runtime.rows({ text: `SELECT * FROM ${readable}` });
    await runtime.rows({ text: 'SELECT svc_prune()' });
  }));

test('the runtime role cannot change anything directly', () =>
  withMigratedDatabase(async (database) => {
    const runtime = database.connect();
    for (const table of tables) {
      for (const statement of [
        `INSERT INTO ${table} SELECT * FROM ${table}`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table}`,
        `UPDATE ${table} SET ${columnOf[table]} = ${columnOf[table]}`,
        `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
        `DROP TABLE ${table}`,
      ])
        assert.is(await stateOf(runtime, statement), '42501', statement);
    }
    assert.is(await stateOf(runtime, 'CREATE TABLE mine ()'), '42501');
    assert.is(await stateOf(runtime, "UPDATE svc_schema_migrations SET hash = ''"), '42501');
  }));

test('even the owner cannot change or remove stored rows', () =>
  withMigratedDatabase(async (database) => {
    const events = [{ streamId: newUuid(), envelope: event() }];
    const records = [{ envelope: event(), publish: false }];
    await database.openStore().commit({ events, records, expected: new Map() });
    const owner = database.connect({ owner: true });
    for (const table of ['svc_events', 'svc_system_events']) {
      for (const statement of [`UPDATE ${table} SET host = 'x'`, `DELETE FROM ${table}`, `TRUNCATE ${table}`])
        assert.is(await stateOf(owner, statement), '42501', statement);
      assert.equal(await owner.rows({ text: `SELECT count(*) FROM ${table}` }), [['1']]);
    }
  }));

test('no other role may call what runs with the rights of the owner', () =>
  withMigratedDatabase(async (database) => {
    const owner = database.connect({ owner: true });
    const open = await owner.rows({
      text: `SELECT proname FROM pg_proc WHERE (prosecdef OR prokind = 'p') AND proname LIKE 'svc%'
        AND has_function_privilege('public', oid, 'EXECUTE') ORDER BY 1`,
    });
    assert.equal(open, []);
  }));

test('a user with an unusual name may assume the role', () =>
  withDatabase(async (url) => {
    const user = `test-User-${newUuid()}`;
    await query(url, `CREATE ROLE "${user}" LOGIN PASSWORD 'awkward'`);
    try {
      const { role = '' } = await migrate({ ownerUrl: url, runtimeUser: user });
      await withOpen(openDatabase({ url: withUser(url, user), role }), async (database) => {
        assert.equal(await database.rows({ text: 'SELECT session_user, current_user' }), [
          [user, 'svc_runtime'],
        ]);
      });
    } finally {
      await query(url, `DROP ROLE "${user}"`);
    }
  }));

test('without a runtime user the owner assumes the role', () =>
  withDatabase(async (url) => {
    assert.is((await migrate({ ownerUrl: url, runtimeUser: '' })).role, 'svc_runtime');
  }));

test('pruning removes old flushes and expired outcomes, and nothing else', () =>
  withMigratedDatabase(async (database) => {
    const store = database.openStore();
    const outcome = { key: Buffer.of(1), fingerprint: Buffer.of(1), status: 200, body: '{}' };
    for (const key of [1, 2])
      await store.commit({
        events: [],
        records: [],
        expected: new Map(),
        outcome: { ...outcome, key: Buffer.of(key) },
      });
    const owner = database.connect({ owner: true });
    await owner.rows({ text: "UPDATE svc_flushes SET at = at - interval '61 minutes' WHERE flush = 1" });
    await owner.rows({
      text: "UPDATE svc_idempotency SET expires_at = now() - interval '1 second' WHERE key = '\\x01'",
    });
    await database.connect().rows({ text: 'SELECT svc_prune()' });
    assert.equal(await owner.rows({ text: 'SELECT flush FROM svc_flushes' }), [['2']]);
    assert.equal(await owner.rows({ text: 'SELECT key FROM svc_idempotency' }), [['\\x02']]);
  }));

test('pruning removes a part at a time, as a commit may wait for what is being removed', () =>
  withMigratedDatabase(async (database) => {
    const [owner, runtime] = [database.connect({ owner: true }), database.connect()];
    await owner.rows({
      text: `INSERT INTO svc_idempotency SELECT int4send(n), int4send(n), 200, repeat('x', 1000), now() - interval '1 second'
        FROM generate_series(1, 2500) n`,
    });
    const left = async () =>
      Number((await owner.rows({ text: 'SELECT count(*) FROM svc_idempotency' }))[0]?.[0]);
    assert.equal(await runtime.rows({ text: 'SELECT svc_prune()' }), [['128']]);
    const some = await left();
    assert.ok(some > 0 && some < 2500, String(some));
    await prune(runtime);
    assert.is(await left(), 0);
  }));

const columnOf = {
  svc_events: 'host',
  svc_system_events: 'host',
  svc_idempotency: 'body',
  svc_flushes: 'at',
  svc_progress: 'position',
  svc_stuck_work: 'state',
} as const;

const tables = Object.keys(columnOf) as (keyof typeof columnOf)[];

const event = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1,
});

/** Runs statements as the owner, over a separate connection. */
async function query(url: string, text: string): Promise<Row[]> {
  const client = await connect(url);
  try {
    return (await client.query<string[]>({ text, rowMode: 'array', types: { getTypeParser: () => String } }))
      .rows;
  } finally {
    await client.end();
  }
}

async function ledgerRow(url: string, key: string): Promise<Row> {
  const text = `SELECT status, status_description, hash, attempts FROM svc_schema_migrations WHERE migration_key = '${key}'`;
  const [row] = await query(url, text);
  assert.ok(row);
  return row;
}

async function withOpen(database: Database, body: (database: Database) => Promise<void>): Promise<void> {
  try {
    await body(database);
  } finally {
    await database.close();
  }
}

const stateOf = (database: Database, text: string): Promise<unknown> =>
  database.rows({ text }).then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );

function withSearchPath(text: string, schema: string): string {
  const url = new URL(text);
  url.searchParams.set('options', `-c search_path=${schema.replaceAll(' ', '\\ ')}`);
  return url.href;
}

function withUser(text: string, user: string): string {
  const url = new URL(text);
  url.username = user;
  url.password = 'awkward';
  return url.href;
}

const errorOf = (error: unknown): unknown => error;
