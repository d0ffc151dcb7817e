import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { MigrationStatus } from '../../contracts/migration.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { connect } from '../database/connect.js';
import { type Database, openDatabase, type Row } from '../database/database.js';
import { openPostgresStore } from '../store/postgres-event-store.js';
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

function withSearchPath(text: string, schema: string): string {
  const url = new URL(text);
  url.searchParams.set('options', `-c search_path=${schema.replaceAll(' ', '\\ ')}`);
  return url.href;
}

const errorOf = (error: unknown): unknown => error;
