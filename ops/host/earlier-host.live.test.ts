import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { verifyChain } from '../../runtime/audit/verify-chain.js';
import { connect } from '../../runtime/database/connect.js';
import { type Database, openDatabase } from '../../runtime/database/database.js';
import { migrate } from '../../runtime/migrations/migrate.js';
import { chainSwitchWithin } from '../../runtime/migrations/schema/chain.js';
import { schemaItems } from '../../runtime/migrations/schema/items.js';
import { encodeUnit } from '../../runtime/store/encode-unit.js';
import { openPostgresStore } from '../../runtime/store/postgres-event-store.js';
import { commitAsBefore } from '../../runtime/testing/earlier-writer.js';
import { until } from '../../runtime/testing/until.js';
import { withStoreOf } from '../testing/earlier-store.js';

const test = suite('earlier host');

const withEarlierStore = (body: (database: Database, url: string) => Promise<void>): Promise<void> =>
  withStoreOf('0.2.0', async (url) => {
    const database = openDatabase({ url });
    try {
      await body(database, url);
    } finally {
      await database.close();
    }
  });

const envelope = (messageType: string) => ({
  messageId: newUuid(),
  messageType,
  payload: { text: 'ü' },
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});

/** An event and two records. */
function newUnit() {
  const event = { streamId: newUuid(), envelope: envelope('ShopOpened') };
  const records = [
    { envelope: envelope('ShopSeen'), of: event, publish: true },
    { envelope: envelope('ShopCounted'), publish: false },
  ];
  return { events: [event], records, expected: new Map() };
}

const commitEarlier = (database: Database): Promise<void> =>
  commitAsBefore(database, 'svc_commit_v2', encodeUnit(newUnit(), Date.now()));

const numberIn = async (database: Database, text: string): Promise<number> =>
  Number((await database.rows({ text }))[0]?.[0]);

const recordCount = 'SELECT count(*) FROM svc_system_events';
const formula2From = 'SELECT formula2_from FROM svc_store';

test('a host of the version before goes on beside the migration and after it, and the chain verifies', () =>
  withEarlierStore(async (database, url) => {
    const before = await numberIn(database, recordCount);
    let [commits, isMigrated] = [0, false];
    const earlier = (async () => {
      for (let after = 0; after < 5; after += isMigrated ? 1 : 0, commits++) await commitEarlier(database);
    })();
    await until(() => commits > 0);
    await migrate({ ownerUrl: url });
    isMigrated = true;
    const store = openPostgresStore(database, { host: 'after' });
    for (let n = 0; n < 5; n++) await store.commit(newUnit());
    await earlier;
    await store.close();
    const records = before + 2 * (commits + 5);
    const { ok, records: verified } = await verifyChain(database);
    assert.equal([ok, verified], [true, records]);
    const from = await numberIn(database, formula2From);
    assert.ok(from > before + 2 && from <= records - 20, `formula 2 from ${from}`);
  }));

test('a call that began before the migration ends by the earlier formula, and the later one begins after it', () =>
  withEarlierStore(async (database, url) => {
    const blocker = await connect(url);
    await blocker.query(
      "BEGIN; SELECT pg_advisory_xact_lock(hashtext('svc'), 'svc_events'::regclass::oid::int)",
    );
    const begun = commitEarlier(database);
    const waiting = `SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE d.datname = current_database() AND locktype = 'advisory' AND NOT granted`;
    await until(async () => (await numberIn(database, waiting)) === 1);
    const migrating = migrate({ ownerUrl: url });
    const isReplaced = "SELECT (to_regproc('svc_append_v3') IS NOT NULL)::int";
    await until(async () => (await numberIn(database, isReplaced)) === 1);
    await blocker.query('COMMIT');
    await blocker.end();
    await Promise.all([begun, migrating]);
    const records = await numberIn(database, recordCount);
    assert.is(await numberIn(database, formula2From), records + 1);
    await commitEarlier(database);
    assert.equal((await verifyChain(database)).records, records + 2);
    assert.ok((await verifyChain(database)).ok);
  }));

/** Migrates up to the replaced functions, and then as a migration does that has no patience. */
async function switchChain(url: string): Promise<void> {
  const client = await connect(url);
  try {
    const before = schemaItems(undefined).findIndex(({ key }) => key === 'svc/chain');
    for (const { sql } of schemaItems(undefined).slice(0, before)) await client.query(sql);
    await client.query(chainSwitchWithin({ any: 0, appending: 0.2 }));
  } finally {
    await client.end();
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The earlier function, which stops before it takes the lock of the log for as long as another session holds lock 42. */
const stoppingAppend = `DO $do$ BEGIN
  EXECUTE regexp_replace(pg_get_functiondef('svc_append_v2'::regproc), '\nBEGIN\n', E'\nBEGIN\n PERFORM pg_advisory_xact_lock(42);\n');
END $do$`;

test('formula 2 does not begin while a session is stopped inside the earlier function, and the error names it', () =>
  withEarlierStore(async (database, url) => {
    const [writer, blocker] = [openDatabase({ url, connections: 1 }), await connect(url)];
    await blocker.query(stoppingAppend);
    await blocker.query('SELECT pg_advisory_lock(42)');
    const pid = await numberIn(writer, 'SELECT pg_backend_pid()');
    const begun = commitEarlier(writer);
    const waiting = `SELECT count(*) FROM pg_locks WHERE pid = ${pid} AND locktype = 'advisory' AND NOT granted`;
    await until(async () => (await numberIn(database, waiting)) === 1);
    const reason = await switchChain(url).then(() => 'switched', reasonOf);
    assert.match(reason, `sessions with process id ${pid} may still append`);
    assert.not.match(reason, 'pg_read_all_stats');
    await blocker.query('SELECT pg_advisory_unlock(42)');
    await Promise.all([begun, blocker.end()]);
    await writer.close();
    const records = await numberIn(database, recordCount);
    await switchChain(url);
    assert.is(await numberIn(database, formula2From), records + 1);
    await commitEarlier(database);
    assert.ok((await verifyChain(database)).ok);
  }));

test('formula 2 waits for a transaction that may yet append, and not for one that only reads', () =>
  withEarlierStore(async (database, url) => {
    const [reader, begun] = [await connect(url), await connect(url)];
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM pg_class');
    await begun.query('BEGIN');
    const { rows } = await begun.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await begun.query('COMMIT');
    await begun.query('BEGIN');
    assert.match(await switchChain(url).then(() => 'switched', reasonOf), `process id ${rows[0]?.pid} may`);
    await begun.end();
    await switchChain(url);
    assert.ok((await numberIn(database, formula2From)) > 1);
    await reader.end();
  }));

test('formula 2 waits for what an owner cannot see, and the error says which right is missing', () =>
  withEarlierStore(async (database, url) => {
    const owner = `owner_${newUuid().replaceAll('-', '')}`;
    const stranger = await connect(url);
    await stranger.query('BEGIN');
    await stranger.query('SELECT count(*) FROM pg_class');
    const own = await connect(url);
    try {
      await own.query(`CREATE ROLE ${owner}; GRANT ALL ON svc_store, svc_system_events TO ${owner}`);
      await own.query('ALTER TABLE svc_store ADD COLUMN formula2_from bigint');
      await own.query(`SET ROLE ${owner}`);
      const text = chainSwitchWithin({ any: 0, appending: 0.2 });
      const reason = await own.query(text).then(() => 'switched', reasonOf);
      assert.match(reason, `GRANT pg_read_all_stats TO ${owner}`);
      await own.query(`RESET ROLE; GRANT pg_read_all_stats TO ${owner}; SET ROLE ${owner}`);
      await own.query(text);
      assert.ok((await numberIn(database, formula2From)) > 1);
    } finally {
      await own.query(`RESET ROLE; DROP OWNED BY ${owner}; DROP ROLE ${owner}`);
      await Promise.all([own.end(), stranger.end()]);
    }
  }));
