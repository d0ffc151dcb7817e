import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { openDatabase } from '../database/database.js';
import { runtimeRole } from '../schema/runtime-role.js';
import { openPostgresStore } from '../store/postgres-event-store.js';
import { crashAndRecover, withPostgresPair } from '../testing/postgres-pair.js';
import { until } from '../kit/until.js';
import { postgresOutbox } from './postgres-outbox.js';

const test = suite('outbox with a synchronous standby');

test('a message that only the primary holds is not handed out to publish', () =>
  withPostgresPair(async (pair) => {
    const database = openDatabase({ url: pair.url, role: runtimeRole });
    const store = openPostgresStore(database, { host: 'test' });
    const outbox = postgresOutbox(database, newUuid(), newUuid());
    await pair.stopStandby();

    assert.ok((await outbox.acquireLease(60_000)).held, 'an empty outbox does not wait for the standby');
    const append = store.append(newUuid(), happened()).catch(() => undefined);
    await until(async () => (await pair.waiting()).length > 0);
    await pair.admin('SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = $1', [
      'SyncRep',
    ]);
    await until(async () => (await pair.admin('SELECT 1 FROM svc_events')).length > 0);
    const handedOut: number[] = [];
    const leaseRequest = outbox.acquireLease(60_000).then(
      (lease) => void (lease.held && handedOut.push(lease.head)),
      () => undefined,
    );
    await until(async () => handedOut.length > 0 || (await pair.waiting()).length >= 2);

    await pair.failOver();
    await Promise.all([leaseRequest, store.close(), append]);
    await database.close();
    assert.equal(handedOut, []);
  }));

test('a message that became visible by a crash of the primary, without the standby, is not handed out to publish', () =>
  withPostgresPair(async (pair) => {
    const database = openDatabase({ url: pair.url, role: runtimeRole });
    const store = openPostgresStore(database, { host: 'test' });
    await pair.stopStandby();
    const append = store.append(newUuid(), happened()).catch(() => undefined);
    await until(async () => (await pair.waiting()).length > 0);
    await crashAndRecover(pair);
    await until(async () => (await pair.admin('SELECT 1 FROM svc_events').catch(() => [])).length > 0);
    const outbox = postgresOutbox(database, newUuid(), newUuid());
    const handedOut: number[] = [];
    const ended = new AbortController();
    const leaseRequest = (async () => {
      while (!ended.signal.aborted && handedOut.length === 0) {
        const lease = await outbox.acquireLease(60_000).catch(() => undefined);
        if (lease?.held === true && lease.head > lease.position) handedOut.push(lease.head);
      }
    })();
    // The repeated flush waits, and so does the lease.
    await until(async () => handedOut.length > 0 || (await pair.waiting().catch(() => [])).length >= 2);
    ended.abort();
    await pair.failOver();
    await Promise.all([leaseRequest, store.close(), append]);
    await database.close();
    assert.equal(handedOut, []);
  }));

test('a lease whose wait for the standby was cancelled hands out nothing', () =>
  withPostgresPair(async (pair) => {
    const database = openDatabase({ url: pair.url, role: runtimeRole });
    const store = openPostgresStore(database, { host: 'test' });
    const outbox = postgresOutbox(database, newUuid(), newUuid());
    await store.append(newUuid(), happened());
    await pair.stopStandby();
    const leaseRequest = outbox.acquireLease(60_000).then(
      () => 'handed out',
      () => 'failed',
    );
    await until(async () => (await pair.waiting()).length > 0);
    await pair.admin('SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = $1', [
      'SyncRep',
    ]);
    assert.is(await leaseRequest, 'failed');
    await store.close();
    await database.close();
  }));

test('a relay whose lease a session holds waits for the standby, too', () =>
  withPostgresPair(async (pair) => {
    const database = openDatabase({ url: pair.url, role: runtimeRole });
    const owner = openDatabase({ url: pair.url });
    const store = openPostgresStore(database, { host: 'test' });
    const outbox = postgresOutbox(database, newUuid(), newUuid());
    await outbox.acquireLease(60_000);
    await store.append(newUuid(), happened());
    const session = await owner.session();
    await session.rows({ text: "BEGIN; SELECT 1 FROM svc_leases WHERE name = 'outbox' FOR UPDATE" });
    await pair.stopStandby();
    let answers = 0;
    const leaseRequest = outbox.acquireLease(60_000).then(
      () => answers++,
      () => undefined,
    );
    await until(async () => answers > 0 || (await pair.waiting()).length > 0);
    assert.is(answers, 0);
    session.release(true);
    await pair.failOver();
    await leaseRequest;
    await Promise.all([store.close(), database.close(), owner.close()]);
  }));

const happened = () => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1,
});
