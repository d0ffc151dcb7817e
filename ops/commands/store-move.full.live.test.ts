import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { execute, withName } from '../../runtime/kit/database.js';
import { withLogicalServers, listOf } from '../../runtime/testing/logical-servers.js';
import { move, toTarget } from '../testing/moving-store.js';
import { faultsIn, nothingWrong, startLedger } from '../testing/order-ledger.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('several stores of one server, and one that moves');

const names = ['svc', 'north', 'south', 'west'];

/** Each step of the mover that is killed, and what follows; the last one ends the move. */
const rounds = [
  ['move-begun', 'abort'],
  ['move-prepared', 'abort'],
  ['move-sealed', 'abort'],
  ['move-copied', 'abort'],
  ['move-held', 'abort'],
  ['move-drained', 'resume'],
] as const;

test('four stores under load: the one that moves loses, doubles and reorders nothing, nor do the others', () =>
  withLogicalServers(async ({ urls: [source, target] }) => {
    for (const url of [source, target])
      for (const name of names.slice(1)) await execute(url, `CREATE DATABASE ${name}`);
    const at = (name: string): readonly [string, string] => [withName(source, name), withName(target, name)];
    const serving = async (
      left: readonly string[],
      ledgers: Readonly<Record<string, ReturnType<typeof startLedger>>>,
    ): Promise<void> => {
      const [name, ...others] = left;
      if (name !== undefined)
        return withOrders({ DATABASE_URL: listOf(at(name)), SVC_NAME: name }, async ({ url }) => {
          const ledger = startLedger(url, 2);
          try {
            await serving(others, { ...ledgers, [name]: ledger });
          } finally {
            await ledger.stop();
          }
        });
      const growing = () => Promise.all(Object.values(ledgers).map((ledger) => ledger.grows(10)));
      const [moved, to] = at('north');
      for (const [step, then] of rounds) {
        await growing();
        const killed = await move(moved, toTarget(to), step);
        assert.is(killed.code, null, `${step}: ${killed.stderr}`);
        const ended = await move(moved, [then]);
        assert.is(ended.code, 0, `${then}: ${ended.stderr}`);
      }
      await growing();
      for (const [of, ledger] of Object.entries(ledgers)) {
        await ledger.stop();
        assert.equal(await faultsIn(ledger, of === 'north' ? to : at(of)[0]), nothingWrong, of);
      }
      // On a busy machine every client waits now and then.
      const [longest = 0, ...waits] = ['north', 'svc', 'south', 'west'].map(
        (of) => ledgers[of]?.longestMs ?? 0,
      );
      assert.ok(longest < 5_000 + Math.max(...waits), `${longest} ms, the others ${waits.join(', ')}`);
    };
    await serving(names, {});
  }));
