import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { execute } from '../kit/database.js';
import { type MigratedDatabase, withMigratedDatabase } from '../testing/migrated-database.js';
import {
  type KnownCursor,
  noTimers,
  readInstanceCounts,
  readReactionBacklog,
  readTimerBacklog,
} from './reaction-backlog.js';

const test = suite('backlog of reactions and timers');

const cursors = (...settledTo: (number | undefined)[]): readonly KnownCursor[] =>
  settledTo.map((position, part) => ({
    cursor: `reaction/reserve-stock/${part}`,
    name: 'reserve-stock',
    settledTo: position,
  }));

async function placeOrders({ openStore }: MigratedDatabase, count: number): Promise<void> {
  const store = openStore();
  for (let n = 0; n < count; n++) {
    const streamId = newUuid();
    const timestamp = new Date().toISOString();
    const envelope = {
      messageId: newUuid(),
      messageType: 'OrderPlaced',
      streamId,
      payload: {},
      timestamp,
      v: 1,
    };
    await store.append(streamId, envelope);
  }
}

const setProgress = (owner: Database, ...positions: number[]) =>
  owner.rows({
    text: `INSERT INTO svc_progress(name, position)
      SELECT 'reaction/reserve-stock/' || n - 1, p FROM unnest($1::bigint[]) WITH ORDINALITY t(p, n)`,
    values: [positions],
  });

const setAside = (owner: Database, key: string, position: number, state: string) =>
  owner.rows({
    text: `INSERT INTO svc_stuck_work(follower, key, position, state, attempts)
      VALUES ('reaction/reserve-stock/1', $1, $2, $3, 1)`,
    values: [key, position, state],
  });

const makeOlder = (url: string, seconds: number, ...positions: number[]) =>
  execute(
    url,
    `SET session_replication_role = replica; UPDATE svc_events
      SET recorded_at = recorded_at - ${seconds} * interval '1 s' WHERE global_position IN (${positions.join()})`,
  );

test('a reaction is as far behind as its slowest partition, and waits as long as its oldest event', () =>
  withMigratedDatabase(async (database) => {
    const owner = database.connect({ owner: true });
    await placeOrders(database, 5);
    await setProgress(owner, 5, 2);
    await makeOlder(database.url, 100, 3);
    const [backlog] = await readReactionBacklog(database.connect(), cursors(undefined, undefined));
    assert.equal([backlog?.name, backlog?.lag, backlog?.parked], ['reserve-stock', 3, 0]);
    assert.ok((backlog?.oldestSeconds ?? 0) >= 100);
  }));

test('what the host that runs it has settled does not wait, even if it is not recorded yet', () =>
  withMigratedDatabase(async (database) => {
    const owner = database.connect({ owner: true });
    await placeOrders(database, 5);
    await setProgress(owner, 5, 2);
    await makeOlder(database.url, 100, 3);
    assert.equal(await readReactionBacklog(database.connect(), cursors(undefined, 5)), [
      {
        name: 'reserve-stock',
        lag: 0,
        oldestSeconds: 0,
        parked: 0,
        parkedKey: undefined,
        failing: undefined,
      },
    ]);
  }));

test('a key that is tried again waits, a parked one is counted', () =>
  withMigratedDatabase(async (database) => {
    const owner = database.connect({ owner: true });
    await placeOrders(database, 5);
    await setProgress(owner, 5, 5);
    await makeOlder(database.url, 50, 1, 2);
    await setAside(owner, 'stuck', 1, 'parked');
    const [parked] = await readReactionBacklog(database.connect(), cursors(undefined, undefined));
    assert.equal([parked?.parked, parked?.parkedKey, parked?.oldestSeconds], [1, 'stuck', 0]);
    await setAside(owner, 'flaky', 2, 'retrying');
    const [both] = await readReactionBacklog(database.connect(), cursors(undefined, undefined));
    assert.is(both?.parked, 1);
    assert.ok((both?.oldestSeconds ?? 0) >= 50);
  }));

test('reactions that this application does not have are left out', () =>
  withMigratedDatabase(async (database) => {
    await setProgress(database.connect({ owner: true }), 0, 0);
    assert.equal(await readReactionBacklog(database.connect(), []), []);
    const other = [{ cursor: 'reaction/welcome/0', name: 'welcome', settledTo: undefined }];
    const [welcome] = await readReactionBacklog(database.connect(), other);
    assert.equal([welcome?.name, welcome?.lag], ['welcome', 0]);
  }));

const setTimers = (owner: Database, name: string, due: string, parked: boolean, count = 1) =>
  owner.rows({
    text: `INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, attempts, parked, data, context)
      SELECT gen_random_uuid(), n % 8, clock_timestamp() + $2::interval, 'command', $1, n::text, clock_timestamp(), 0,
        $3, '{}', '{}' FROM generate_series(1, $4) n`,
    values: [name, due, parked, count],
  });

test('the latest timer that has not fired is known by name, and so is one that is parked', () =>
  withMigratedDatabase(async (database) => {
    const owner = database.connect({ owner: true });
    const runtime = database.connect();
    assert.equal(await readTimerBacklog(runtime), noTimers);
    await setTimers(owner, 'reminder', '1 hour', false, 20);
    assert.equal(await readTimerBacklog(runtime), noTimers);
    await setTimers(owner, 'late', '-20 s', false);
    await setTimers(owner, 'later', '-70 s', false);
    await setTimers(owner, 'broken', '-1 day', true, 2);
    const { lateSeconds, late, parked, parkedTimer } = await readTimerBacklog(runtime);
    assert.ok(lateSeconds >= 70 && lateSeconds < 600);
    assert.equal([late, parked, parkedTimer], [{ name: 'later', key: '1' }, 2, { name: 'broken', key: '1' }]);
  }));

test('instances of processes are counted until they end, and timers until they are parked', () =>
  withMigratedDatabase(async (database) => {
    const owner = database.connect({ owner: true });
    await setTimers(owner, 'reminder', '1 hour', false, 3);
    await setTimers(owner, 'broken', '1 hour', true);
    await owner.rows({
      text: `INSERT INTO svc_processes(name, key, revision, version, state, status, snapshot, trail, started_at, updated_at)
        SELECT 'fulfilment', n::text, 1, 1, CASE WHEN n < 3 THEN 'reserving' ELSE 'paid' END,
          CASE n WHEN 1 THEN 'running' WHEN 2 THEN 'parked' ELSE 'ended' END, '{}', '[]', now(), now() FROM generate_series(1, 9) n`,
    });
    assert.equal(await readInstanceCounts(database.connect()), {
      processes: [{ process: 'fulfilment', state: 'reserving', count: 2 }],
      timers: 3,
    });
  }));
