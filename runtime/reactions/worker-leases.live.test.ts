import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { until } from '../testing/until.js';
import { postgresWorkerLeases, shareOf, type WorkerLeases } from './worker-leases.js';

const test = suite('leases of workers');

const names = Array.from({ length: 8 }, (_, part) => `reaction/reserve-stock/${part}`);
const leaseMs = 4_000;

/** Takes turns as a host does: the share follows from the last answer. */
function host(leases: WorkerLeases, version: string) {
  let share = 0;
  let held = 0;
  return {
    turn: async () => {
      const turn = await leases.turn(names, share, leaseMs);
      share = shareOf(names.length, turn.workers, version);
      held = turn.held.size;
      return held;
    },
    get held() {
      return held;
    },
  };
}

test('a host alone holds all partitions, two hold half of them, and what one gives back the other takes', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const of = (version: string) => host(postgresWorkerLeases(database, newUuid(), 'host', version), version);
    const [one, two] = [of('1.0.0'), of('1.0.0')];
    await one.turn();
    assert.is(await one.turn(), 8);
    await until(async () => {
      const held = [await one.turn(), await two.turn()];
      return held.join() === '4,4';
    });
  }));

test('the newest version gets all of them', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const of = (version: string) => host(postgresWorkerLeases(database, newUuid(), 'host', version), version);
    const [old, latest] = [of('1.9.0'), of('1.10.0')];
    await old.turn();
    await old.turn();
    await until(async () => {
      const held = [await old.turn(), await latest.turn()];
      return held.join() === '0,8';
    });
  }));

test('a host that leaves gives its leases back at once', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const leases = postgresWorkerLeases(database, newUuid(), 'one', '1');
    await leases.turn(names, 8, leaseMs);
    await leases.release(names);
    const { held, workers } = await postgresWorkerLeases(database, newUuid(), 'two', '1').turn(
      names,
      8,
      leaseMs,
    );
    assert.is(held.size, 8);
    assert.is(workers.length, 1);
  }));

test('shares are equal among hosts of the newest version, rounded up', () => {
  const worker = (version: string) => ({ owner: newUuid(), version });
  assert.is(shareOf(8, [worker('2'), worker('2'), worker('2')], '2'), 3);
  assert.is(shareOf(8, [worker('1'), worker('2')], '2'), 8);
  assert.is(shareOf(8, [worker('1'), worker('2')], '1'), 0);
  assert.is(shareOf(8, [], '1'), 8);
});
