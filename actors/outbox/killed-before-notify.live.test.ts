import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { openDatabase, type Database } from '../../runtime/database/database.js';
import { startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import { removeHome } from '../../runtime/database/embedded/server-home.js';
import { hostLeases } from '../../runtime/testing/leases.js';
import { migrate } from '../../runtime/migrations/migrate.js';
import { postgresOutbox } from '../../runtime/outbox/postgres-outbox.js';
import { encodeUnit } from '../../runtime/store/encode-unit.js';
import { commitOneCall, oneEventParameters } from '../../runtime/store/flush-call.js';
import { openPostgresStore } from '../../runtime/store/postgres-event-store.js';
import { everything, RecordingTransport } from '../../runtime/testing/in-memory-outbox.js';
import { fastUnsafeSettings } from '../../runtime/kit/postgres-server.js';
import { temporaryFolder } from '../../runtime/kit/temporary-folder.js';
import { until } from '../../runtime/kit/until.js';
import { append, happened, withRelay } from '../testing/outbox-relays.js';
import { startOutboxRelay } from './outbox-relay.js';

const test = suite('a commit that is killed before its notification');

/** The commit itself, which waits behind its COMMIT for as long as a session has the lock 31. Returns who has it now. */
async function stopBehindCommit(owner: Database) {
  const text = "SELECT pg_get_functiondef('svc_commit_one_v1'::regproc)";
  const [[definition] = []] = await owner.rows({ text });
  const parts = (definition ?? '').split('COMMIT;');
  assert.is(parts.length, 2);
  await owner.rows({ text: parts.join('COMMIT; PERFORM pg_advisory_xact_lock_shared(31);') });
  const holder = await owner.session();
  await holder.rows({ text: 'SELECT pg_advisory_lock(31)' });
  return holder;
}

const stopped = `FROM pg_locks WHERE locktype = 'advisory' AND objid = 31 AND NOT granted AND database = svc_database_oid()`;
const storedIds = 'SELECT event_id FROM svc_events ORDER BY global_position';

test('when its session is killed, readers miss a notification and find the event at their next turn', () =>
  withRelay(async ({ log, database, owner, start }) => {
    const transport = new RecordingTransport();
    start(transport, { leaseMs: 400, idleMs: 600_000 });
    await append(log, 1);
    await until(() => transport.taken.length === 1);
    const holder = await stopBehindCommit(owner);
    const listener = await owner.session();
    let announced = 0;
    listener.onNotification(() => announced++);
    await listener.rows({ text: 'LISTEN svc' });
    try {
      const events = [{ streamId: newUuid(), envelope: happened() }];
      const unit = encodeUnit({ events, records: [], expected: new Map() }, Date.now());
      // Not by a store: that would send the flush again, and its second commit would notify.
      const values = oneEventParameters(newUuid(), 1, 'test', [unit]) ?? [];
      const call = database.rows({ text: commitOneCall, values }).then(
        () => 'answered',
        () => 'lost',
      );
      await until(async () => (await owner.rows({ text: `SELECT ${stopped}` })).length === 1);
      assert.is((await owner.rows({ text: storedIds })).length, 2, 'it is committed');
      await owner.rows({ text: `SELECT pg_terminate_backend(pid) ${stopped}` });
      assert.is(await call, 'lost');
      await until(() => transport.taken.length === 2);
      assert.is(announced, 0);
      assert.is(transport.taken[1]?.id, events[0]?.envelope.messageId);
    } finally {
      holder.release(true);
      listener.release(true);
    }
  }));

test('when its server is killed, the caller gets its answer, the event is stored once, and readers find it', async () => {
  const dataDir = await temporaryFolder();
  const server = await startEmbeddedServer({ dataDir, settings: fastUnsafeSettings, keepsRunning: true });
  await migrate({ ownerUrl: server.url });
  const database = openDatabase({ url: server.url });
  const store = openPostgresStore(database, { host: 'test' });
  const transport = new RecordingTransport();
  const leases = hostLeases(database);
  const relay = startOutboxRelay({
    outbox: postgresOutbox(database, leases.owner, newUuid()),
    transport,
    filter: everything,
    report: () => undefined,
    leases,
  });
  try {
    await append(store, 1);
    await until(() => transport.taken.length === 1);
    const holder = await stopBehindCommit(database);
    const event = happened();
    const answer = store.append(newUuid(), event);
    await until(async () => (await database.rows({ text: `SELECT ${stopped}` })).length === 1);
    const [[folder = ''] = []] = await database.rows({ text: 'SHOW data_directory' });
    const [postmaster] = (await readFile(join(folder ?? '', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(postmaster), 'SIGKILL');
    await holder.ended;
    holder.release(true);
    assert.equal((await answer).globalPositions, [2]);
    await until(() => transport.taken.some(({ id }) => id === event.messageId));
    assert.equal((await database.rows({ text: storedIds })).slice(1), [[event.messageId]]);
  } finally {
    await relay.stop();
    await store.close();
    await database.close();
    await server.stop();
    await removeHome(dataDir);
  }
});
