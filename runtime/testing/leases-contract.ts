import assert from 'node:assert/strict';
import { contractRules, type RunnerTest, type WithSubject } from '../kit/contract-rules.js';
import { until } from '../kit/until.js';
import type { Leases } from '../leases/postgres-leases.js';
import { type LiveHost, sharesOf } from '../leases/shares.js';

/** Another host of the same store, of a version of its application. */
type NewHost = (version?: string) => Leases;

const leaseMs = 4_000;
export const cursors = Array.from({ length: 8 }, (_, part) => `reaction/reserve-stock/${part}`);
const tables = Array.from({ length: 12 }, (_, index) => `svc_per_shelf_${index}`);

/** Takes turns as a host does: its shares follow from the last answer. */
export function turning(
  leases: Leases,
  version = '1.0.0',
  kinds: readonly (readonly string[])[] = [cursors],
): () => Promise<readonly number[]> {
  let hosts: readonly LiveHost[] | undefined;
  return async () => {
    const groups =
      hosts === undefined
        ? kinds.map((names) => ({ names, share: 0 }))
        : sharesOf(kinds, { owner: leases.owner, version }, hosts);
    const answer = await leases.turn(groups, leaseMs, []);
    ({ hosts } = answer);
    return kinds.map((names) => names.filter((name) => answer.held.has(name)).length);
  };
}

/** Until these hosts hold so many leases of each kind. */
export const untilShared = (
  turns: readonly (() => Promise<readonly number[]>)[],
  expected: string,
): Promise<number> =>
  until(async () => {
    const held: string[] = [];
    for (const turn of turns) held.push((await turn()).join(' '));
    return held.join(', ') === expected;
  });

/** The contract of what hosts take their leases from. */
export function leasesContract(test: RunnerTest, withHosts: WithSubject<NewHost>): void {
  const rule = contractRules(test, withHosts);

  rule('a host alone holds all, two hold half, and what one gives back the other takes', async (newHost) => {
    const [one, two] = [turning(newHost()), turning(newHost())];
    await one();
    assert.deepEqual(await one(), [8]);
    await untilShared([one, two], '4, 4');
  });

  rule(
    'three hosts share twelve perspectives and eight partitions, and two share them after one has left',
    async (newHost) => {
      const hosts = [newHost('1'), newHost('1'), newHost('1')];
      const turns = hosts.map((host) => turning(host, '1', [tables, cursors]));
      await until(async () => {
        const held = [];
        for (const turn of turns) held.push(await turn());
        return held.every(([of, parts = 0]) => of === 4 && parts >= 2 && parts <= 3);
      });
      await hosts[0]?.release([...tables, ...cursors], []);
      await untilShared(turns.slice(1), '6 4, 6 4');
    },
  );

  rule('the newest version gets all of them', async (newHost) => {
    const [old, latest] = [turning(newHost('1.9.0'), '1.9.0'), turning(newHost('1.10.0'), '1.10.0')];
    await old();
    await old();
    await untilShared([old, latest], '0, 8');
  });

  rule('a host that leaves gives its leases back at once', async (newHost) => {
    const [first, second] = [newHost(), newHost()];
    const [one, two] = [turning(first), turning(second)];
    await untilShared([one], '8');
    await first.release(cursors, []);
    await two();
    assert.deepEqual(await two(), [8]);
    assert.equal((await second.hosts(leaseMs)).length, 1);
  });

  rule('every answer says how long each lease lasts, also those of other hosts', async (newHost) => {
    const groups = [{ names: ['one', 'other'], share: 1 }];
    const first = await newHost().turn(groups, leaseMs, []);
    const [mine] = first.held;
    const second = await newHost().turn(groups, leaseMs, []);
    assert.equal(second.held.has(mine ?? ''), false);
    for (const { remainingMs } of [first, second]) {
      const ms = remainingMs.get(mine ?? '') ?? 0;
      assert.ok(ms > leaseMs / 2 && ms <= leaseMs, String(ms));
    }
    assert.equal(first.remainingMs.get(mine === 'one' ? 'other' : 'one'), 0);
  });
}
