import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { until } from '../../runtime/testing/until.js';
import { mustHaveBeenKilled } from '../testing/killed-hosts.js';
import { OrderPlaced } from '../testing/stock-reactions.js';

const test = suite('reactions in processes that die');

const program = fileURLToPath(builtForProcess(new URL('../testing/reaction-process.js', import.meta.url)));
const orders: readonly Uuid[] = Array.from({ length: 12 }, () => newUuid());

interface Hosts {
  readonly owner: Database;
  readonly store: PostgresStore;
  start(failpoints?: string): ChildProcess;
}

const withHosts = (body: (hosts: Hosts) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect, openStore }) => {
    const children: ChildProcess[] = [];
    const ends: Promise<unknown>[] = [];
    const start = (failpoints = ''): ChildProcess => {
      const env = { ...process.env, SVC_FAILPOINTS: failpoints, SVC_LOG: 'fatal' };
      const child = spawn(process.execPath, [program, url], { env, stdio: 'inherit' });
      children.push(child);
      ends.push(once(child, 'close'));
      return child;
    };
    try {
      await body({ owner: connect({ owner: true }), store: openStore(), start });
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
    }
  });

async function place(
  store: PostgresStore,
  count: number,
  item: (n: number) => string = String,
): Promise<void> {
  for (let n = 0; n < count; n++) {
    const orderId = orders[n % orders.length] ?? '';
    const payload = OrderPlaced.of({ orderId, item: item(n) });
    const timestamp = new Date().toISOString();
    const envelope = {
      messageId: newUuid(),
      messageType: 'OrderPlaced',
      streamId: orderId,
      payload,
      timestamp,
      v: 1,
    };
    await store.append(orderId, envelope);
  }
}

const count = async (owner: Database, from: string): Promise<number> =>
  Number((await owner.rows({ text: `SELECT count(*) FROM ${from}` }))[0]?.[0]);

const reserved = "svc_events WHERE event_type = 'StockReserved'";

/** Lost, doubled, unaudited, and out of the order of their stream. */
async function faults(owner: Database, expected: number) {
  const effects = await count(owner, reserved);
  const distinct = await count(owner, `(SELECT DISTINCT stream_id, data ->> 'item' FROM ${reserved}) d`);
  const audited = await count(
    owner,
    "svc_system_events WHERE event_type = 'CommandAudited' AND data ->> 'commandType' = 'ReserveStock'",
  );
  const disordered = await count(
    owner,
    `(SELECT (data ->> 'item')::int < lag((data ->> 'item')::int) OVER (PARTITION BY stream_id ORDER BY stream_position) AS wrong
      FROM ${reserved}) w WHERE wrong`,
  );
  return { lost: expected - distinct, doubled: effects - distinct, unaudited: effects - audited, disordered };
}

const none = { lost: 0, doubled: 0, unaudited: 0, disordered: 0 };

for (const point of ['reaction-before-commit', 'reaction-after-commit'])
  test(`a host that dies at ${point} loses and doubles nothing`, () =>
    withHosts(async ({ owner, store, start }) => {
      await place(store, 60);
      await mustHaveBeenKilled(start(`${point}@7`));
      start();
      await until(async () => (await count(owner, reserved)) >= 60);
      assert.equal(await faults(owner, 60), none);
    }));

test('two hosts, one killed again and again: lost 0, doubled 0, unaudited 0, out of order 0', () =>
  withHosts(async ({ owner, store, start }) => {
    start();
    for (let round = 0; round < 3; round++) {
      const victim = start();
      await place(store, 40, (n) => String(round * 40 + n));
      await until(async () => (await count(owner, reserved)) >= round * 40 + 10);
      victim.kill('SIGKILL');
    }
    await until(async () => (await count(owner, reserved)) >= 120);
    assert.equal(await faults(owner, 120), none);
  }));

test('two hosts share the partitions of reactions and timers equally', () =>
  withHosts(async ({ owner, start }) => {
    start();
    start();
    const shares = async () =>
      (
        await owner.rows({
          text: "SELECT count(*) FROM svc_cursors WHERE (name LIKE 'reaction/%' OR name LIKE 'timers/%') AND owner IS NOT NULL GROUP BY owner",
        })
      ).map(([share]) => Number(share));
    await until(async () => (await shares()).join() === '8,8');
  }));

test('a poison key goes aside and is reported, and does not hold the others', () =>
  withHosts(async ({ owner, store, start }) => {
    start();
    await place(store, 24, (n) => (n === 0 ? 'poison' : String(n)));
    await until(async () => (await count(owner, reserved)) === 22);
    await until(
      async () => (await count(owner, "svc_system_events WHERE event_type = 'ReactionFailed'")) === 1,
    );
    assert.is(await count(owner, 'svc_aside'), 1);
  }));

test('a restart sends nothing again', () =>
  withHosts(async ({ owner, store, start }) => {
    const first = start();
    await place(store, 24);
    await until(async () => (await count(owner, reserved)) === 24);
    first.kill('SIGKILL');
    start();
    await place(store, 12, (n) => String(24 + n));
    await until(async () => (await count(owner, reserved)) >= 36);
    assert.equal(await faults(owner, 36), none);
  }));

test.run();
