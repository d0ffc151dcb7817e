import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Uuid } from '../../contracts/scalars.js';
import { type Database, openDatabase } from '../database/database.js';
import { until } from '../kit/until.js';
import { InMemoryLeases } from '../testing/in-memory-leases.js';
import { cursors, leasesContract, turning, untilShared } from '../testing/leases-contract.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { markSession } from './mark-session.js';
import { type Leases, postgresLeases, type Turn } from './postgres-leases.js';

const test = suite('leases in the store');

const hostOn = (database: Database, version = '1.0.0', owner: Uuid = newUuid()): Leases =>
  postgresLeases(database, { owner, name: 'host', version, broadcast: false });

leasesContract(test, (body) =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    await body((version) => hostOn(database, version));
  }),
);

test('a session that holds the row of one lease costs no turn any time, and no other lease', () =>
  withMigratedDatabase(async ({ connect }) => {
    const turn = turning(hostOn(connect()));
    await untilShared([turn], '8');
    const owner = connect({ owner: true });
    const session = await owner.session();
    await session.rows({ text: 'BEGIN' });
    await session.rows({ text: `SELECT FROM svc_leases WHERE name = '${cursors[0]}' FOR UPDATE` });
    const before = await endsOf(owner);
    // It would wait until the session ends.
    assert.equal(await turn(), [8]);
    const after = await endsOf(owner);
    await session.rows({ text: 'ROLLBACK' });
    session.release();
    assert.equal(
      after.map((end, index) => end > (before[index] ?? '')),
      cursors.map((_, index) => index !== 0),
    );
  }));

test('a host that starts takes the leases of one without a session, of no other, and not right after a restart of the server', () =>
  withMigratedDatabase(async ({ url, connect }) => {
    const started = (owner = newUuid()) => {
      const database = openDatabase({ url, onConnect: (session) => markSession(session, owner) });
      const leases = postgresLeases(database, { owner, name: 'host', version: '1', broadcast: false }, true);
      const turn = async (ms: number) => [
        ...(await leases.turn([{ names: allNames, share: 5 }], ms, [])).held,
      ];
      return { turn, close: () => database.close() };
    };
    const owner = connect({ owner: true });
    const [[uptime] = []] = await owner.rows({
      text: 'SELECT extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()) * 1000',
    });
    const [before, after] = [Math.floor(Number(uptime) / 2), Math.floor(Number(uptime)) + 600_000];
    const killed = started();
    assert.is((await killed.turn(9_000)).length, 5);
    /** How many another host gets while the leases of the first last. */
    const others = async (ms: number): Promise<number> => {
      await owner.rows({ text: stillHeld });
      const other = started();
      const held = await other.turn(ms);
      await other.close();
      return held.length;
    };
    assert.is(await others(before), 0);
    await killed.close();
    assert.is(await others(after), 0);
    await until(async () => (await others(before)) === 5);
  }));

const stillHeld =
  "UPDATE svc_leases SET lease_until = clock_timestamp() + interval '9 s' WHERE isfinite(lease_until)";

const endsOf = async (database: Database): Promise<readonly string[]> =>
  (
    await database.rows({
      text: `SELECT extract(epoch FROM lease_until)::text FROM svc_leases WHERE name LIKE 'reaction/%' ORDER BY name`,
    })
  ).map(([end]) => end ?? '');

const allNames = ['a', 'b', 'c', 'd', 'e'];
const hourMs = 3_600_000;

/** What a host asks, in small numbers, so that hosts meet often; or the time passes. */
const step = fc.record({
  host: fc.nat({ max: 2 }),
  does: fc.constantFrom('turn', 'turn', 'turn', 'leave', 'pass', 'setBack'),
  first: fc.subarray(allNames.slice(0, 3), { minLength: 1 }),
  second: fc.subarray(allNames.slice(3)),
  shares: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 2 })),
});

// It ends between two steps, never at one: the clocks differ by milliseconds.
const longMs = 2.25 * hourMs;

test('any turns of three hosts get the same answers from a store in memory', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const owner = connect({ owner: true });
    const ranks = await owner.rows({
      text: 'SELECT n, hashtext(n) FROM unnest($1::text[]) n',
      values: [allNames],
    });
    const rank = (name: string): number => Number(ranks.find(([one]) => one === name)?.[1]);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        await owner.rows({ text: 'TRUNCATE svc_hosts, svc_leases' });
        let now = 0;
        const memory = new InMemoryLeases(
          () => now,
          () => 0,
          rank,
        );
        const hosts = [newUuid(), newUuid(), newUuid()].map((id) => ({
          theirs: hostOn(database, '1', id),
          ours: memory.of({ owner: id, name: 'host', version: '1', broadcast: false }),
        }));
        for (const { host: index, does, first, second, shares } of steps) {
          const { theirs, ours } = hosts[index] ?? (assert.unreachable('there are three') as never);
          const groups = [first, second].map((names, group) => ({ names, share: shares[group] ?? 0 }));
          if (does === 'turn')
            assert.equal(
              seenIn(await theirs.turn(groups, longMs, [])),
              seenIn(await ours.turn(groups, longMs, [])),
            );
          else if (does === 'leave')
            for (const leases of [theirs, ours])
              await leases.release([...first, ...second], shares[0] > 1 ? first : []);
          else {
            // A lease ends after a few steps, or seems to last for far longer.
            const ms = does === 'pass' ? hourMs : -5 * hourMs;
            now += ms;
            await owner.rows({ text: passing, values: [ms / hourMs] });
          }
        }
      }),
      { numRuns: 500 },
    );
  }));

/** Moves everything that was stored into the past, or into the future. */
const passing = `WITH hosts AS (UPDATE svc_hosts SET seen_at = seen_at - $1::int * interval '1 hour')
  UPDATE svc_leases SET lease_until = lease_until - $1::int * interval '1 hour' WHERE isfinite(lease_until)`;

const seenIn = ({ held, hosts, remainingMs }: Turn) => ({
  held: [...held].toSorted(),
  hosts: hosts.map(({ owner, names: could }) => `${owner} ${could.join()}`).toSorted(),
  // In hours, as two clocks are compared.
  remaining: [...remainingMs].map(([name, ms]) => `${name} ${Math.round(ms / hourMs)}`).toSorted(),
});
