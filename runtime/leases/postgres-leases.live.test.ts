import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { until } from '../kit/until.js';
import { type Leases, postgresLeases } from './postgres-leases.js';
import { type LiveHost, sharesOf } from './shares.js';

const test = suite('leases in the store');

const leaseMs = 4_000;
const cursors = Array.from({ length: 8 }, (_, part) => `reaction/reserve-stock/${part}`);
const tables = Array.from({ length: 12 }, (_, index) => `svc_per_shelf_${index}`);

/** Takes turns as a host does: its shares follow from the last answer. */
function hostOn(database: Database, version = '1.0.0', kinds: readonly (readonly string[])[] = [cursors]) {
  const leases: Leases = postgresLeases(database, {
    owner: newUuid(),
    name: 'host',
    version,
    broadcast: false,
  });
  let hosts: readonly LiveHost[] | undefined;
  const turn = async (): Promise<readonly number[]> => {
    const groups =
      hosts === undefined
        ? kinds.map((names) => ({ names, share: 0 }))
        : sharesOf(kinds, { owner: leases.owner, version }, hosts);
    const answer = await leases.turn(groups, leaseMs, []);
    ({ hosts } = answer);
    return kinds.map((names) => names.filter((name) => answer.held.has(name)).length);
  };
  return { leases, turn };
}

/** Until these hosts hold so many leases of each kind. */
const untilShared = (hosts: readonly ReturnType<typeof hostOn>[], expected: string): Promise<number> =>
  until(async () => {
    const held: string[] = [];
    for (const { turn } of hosts) held.push((await turn()).join(' '));
    return held.join(', ') === expected;
  });

test('a host alone holds all, two hold half, and what one gives back the other takes', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const [one, two] = [hostOn(database), hostOn(database)];
    await one.turn();
    assert.equal(await one.turn(), [8]);
    await untilShared([one, two], '4, 4');
  }));

test('three hosts share twelve perspectives and eight partitions, and two share them after one has left', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const hosts = ['a', 'b', 'c'].map(() => hostOn(database, '1', [tables, cursors]));
    await until(async () => {
      const held = [];
      for (const { turn } of hosts) held.push(await turn());
      return held.every(([of, parts = 0]) => of === 4 && parts >= 2 && parts <= 3);
    });
    const [leaving, ...rest] = hosts;
    await leaving?.leases.release([...tables, ...cursors], []);
    await untilShared(rest, '6 4, 6 4');
  }));

test('the newest version gets all of them', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const [old, latest] = [hostOn(database, '1.9.0'), hostOn(database, '1.10.0')];
    await old.turn();
    await old.turn();
    await untilShared([old, latest], '0, 8');
  }));

test('a host that leaves gives its leases back at once', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const [one, two] = [hostOn(database), hostOn(database)];
    await untilShared([one], '8');
    await one.leases.release(cursors, []);
    await two.turn();
    assert.equal(await two.turn(), [8]);
    assert.is((await two.leases.hosts(leaseMs)).length, 1);
  }));

test('a session that holds the row of one lease costs no turn any time, and no other lease', () =>
  withMigratedDatabase(async ({ connect }) => {
    const host = hostOn(connect());
    await untilShared([host], '8');
    const owner = connect({ owner: true });
    const session = await owner.session();
    await session.rows({ text: 'BEGIN' });
    await session.rows({ text: `SELECT FROM svc_leases WHERE name = '${cursors[0]}' FOR UPDATE` });
    const before = await endsOf(owner);
    // It would wait until the session ends.
    assert.equal(await host.turn(), [8]);
    const after = await endsOf(owner);
    await session.rows({ text: 'ROLLBACK' });
    session.release();
    assert.equal(
      after.map((end, index) => end > (before[index] ?? '')),
      cursors.map((_, index) => index !== 0),
    );
  }));

const endsOf = async (database: Database): Promise<readonly string[]> =>
  (
    await database.rows({
      text: `SELECT extract(epoch FROM lease_until)::text FROM svc_leases WHERE name LIKE 'reaction/%' ORDER BY name`,
    })
  ).map(([end]) => end ?? '');
