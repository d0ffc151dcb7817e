import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { AuditPolicy } from '../../runtime/audit/audit-policy.js';
import { systemRecord } from '../../runtime/audit/system-record.js';
import type { Database } from '../../runtime/database/database.js';
import { adoptReaction, type OperatorCall, releaseKeys } from '../../runtime/reactions/operate.js';
import { listReactions } from '../../runtime/reactions/reaction-lists.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { until } from '../../runtime/testing/until.js';
import { OrderPlaced } from '../testing/stock-reactions.js';

const test = suite('operators and hosts that die, sleep and are replaced');

const program = fileURLToPath(builtForProcess(new URL('../testing/reaction-process.js', import.meta.url)));
const orders = Array.from({ length: 12 }, () => newUuid());
const names = { from: 'reserve-stock', to: 'hold-stock' };
const policy = new AuditPolicy(new SystemEventOptions());

interface Scene {
  readonly owner: Database;
  readonly store: PostgresStore;
  readonly call: OperatorCall;
  start(...args: readonly string[]): ChildProcess;
}

const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect, openStore }) => {
    const children: ChildProcess[] = [];
    const ends: Promise<unknown>[] = [];
    const start = (...args: readonly string[]): ChildProcess => {
      const env = { ...process.env, SVC_LOG: 'silent' };
      const child = spawn(process.execPath, [program, url, ...args], { env, stdio: 'inherit' });
      children.push(child);
      ends.push(once(child, 'close'));
      return child;
    };
    const operator = {
      ...{ host: 'desk', changedBy: 'ann' },
      recordOf: (message: Parameters<typeof systemRecord>[0]) => systemRecord(message, {}, policy),
    };
    try {
      const call = { database: connect(), operator, reason: 'a rename' };
      await body({ owner: connect({ owner: true }), store: openStore(), call, start });
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
    }
  });

/** Places orders with the items of these numbers. */
async function place(
  { store }: Scene,
  from: number,
  to: number,
  itemOf: (n: number) => string = String,
): Promise<void> {
  for (let n = from; n < to; n++) {
    const orderId = orders[n % orders.length] ?? '';
    await store.append(orderId, {
      ...{ messageId: newUuid(), messageType: 'OrderPlaced', streamId: orderId, v: 1 },
      payload: OrderPlaced.of({ orderId, item: itemOf(n) }),
      timestamp: new Date().toISOString(),
    });
  }
}

const reserved = async ({ owner }: Scene): Promise<readonly string[]> =>
  (
    await owner.rows({
      text: "SELECT data ->> 'item' FROM svc_events WHERE event_type = 'StockReserved' ORDER BY global_position",
    })
  ).map(([item]) => item ?? '');

const numbers = (to: number): readonly string[] => Array.from({ length: to }, (_, n) => String(n));
const sorted = (items: readonly string[]): readonly string[] =>
  items.toSorted((one, other) => Number(one) - Number(other));

const statesOf = async ({ call }: Scene): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries((await listReactions(call.database)).map(({ name, state }) => [name, state]));

const killed = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL');
  await once(child, 'close');
};

test('a renamed reaction that is adopted goes on where the old one was killed: lost 0, doubled 0', () =>
  withScene(async (scene) => {
    const old = scene.start();
    await place(scene, 0, 24);
    await until(async () => (await reserved(scene)).length >= 12);
    await killed(old);
    await place(scene, 24, 36);
    await until(async () => (await adoptReaction(scene.call, names)) === 'adopted');
    scene.start('hold-stock');
    await place(scene, 36, 48);
    await until(async () => (await reserved(scene)).length >= 48);
    assert.equal(sorted(await reserved(scene)), numbers(48));
    assert.equal(await statesOf(scene).then((states) => Object.keys(states)), ['hold-stock']);
  }));

test('a host that slept while its reaction was adopted sends nothing when it wakes', () =>
  withScene(async (scene) => {
    const sleeper = scene.start();
    await place(scene, 0, 12);
    await until(async () => (await reserved(scene)).length === 12);
    sleeper.kill('SIGSTOP');
    await place(scene, 12, 24);
    await until(async () => (await adoptReaction(scene.call, names)) === 'adopted');
    scene.start('hold-stock');
    await until(async () => (await reserved(scene)).length === 24);
    sleeper.kill('SIGCONT');
    // It has taken a lease again, so it has tried.
    await until(async () => (await statesOf(scene))['hold-stock'] !== undefined && (await isLeased(scene)));
    await place(scene, 24, 36);
    await until(async () => (await reserved(scene)).length >= 36);
    assert.equal(sorted(await reserved(scene)), numbers(36));
  }));

const isLeased = async ({ owner }: Scene): Promise<boolean> =>
  (
    await owner.rows({
      text: "SELECT 1 FROM svc_cursors WHERE name LIKE 'reaction/reserve-stock/%' AND lease_until > clock_timestamp()",
    })
  ).length > 0;

test('a reaction that no host has any more is an orphan, one whose hosts have stopped is stopped', () =>
  withScene(async (scene) => {
    const first = scene.start();
    await until(async () => (await statesOf(scene))['reserve-stock'] === 'live');
    await killed(first);
    await until(async () => (await statesOf(scene))['reserve-stock'] === 'stopped');
    scene.start('hold-stock');
    await until(async () => (await statesOf(scene))['hold-stock'] === 'live');
    assert.is((await statesOf(scene))['reserve-stock'], 'orphan');
  }));

const parked = async ({ owner }: Scene): Promise<number> =>
  Number((await owner.rows({ text: "SELECT count(*) FROM svc_aside WHERE state = 'parked'" }))[0]?.[0]);

test('a host with a newer version releases what an earlier one has parked, and handles it once', () =>
  withScene(async (scene) => {
    scene.start();
    await place(scene, 0, 12, (n) => (n === 3 ? 'refused' : String(n)));
    await until(async () => (await parked(scene)) === 1);
    scene.start('reserve-stock', '1.1.0');
    await until(async () => (await reserved(scene)).length === 12);
    assert.is((await reserved(scene)).filter((item) => item === 'refused').length, 1);
    assert.is(await parked(scene), 0);
  }));

test('a key that is released while its host is killed or frozen is tried by another host, once', () =>
  withScene(async (scene) => {
    for (const [signal, round] of [
      ['SIGKILL', 0],
      ['SIGSTOP', 1],
    ] as const) {
      const first = scene.start();
      await place(scene, round * 12, round * 12 + 12, (n) => (n % 12 === 3 ? 'refused' : String(n)));
      await until(async () => (await parked(scene)) === 1);
      first.kill(signal);
      assert.is(await releaseKeys(scene.call, 'reserve-stock'), 1);
      // Another host of the same version would park it again.
      const other = scene.start('reserve-stock', '1.1.0');
      await until(
        async () => (await reserved(scene)).filter((item) => item === 'refused').length === round + 1,
      );
      await until(async () => (await reserved(scene)).length === round * 12 + 12);
      first.kill('SIGKILL');
      await killed(other);
    }
    assert.is(new Set(await reserved(scene)).size, 23);
  }));
