import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withProxy } from '../../runtime/testing/network-proxy.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { openRaw, rawPost } from '../../endpoints/testing/http-client.js';
import { anOrder, createOrder, type Load, orderIdIn, startLoad } from './order-load.js';
import { type SpawnedHost, withOrders } from './spawned-host.js';

export const ordersIn = async (url: string): Promise<string[]> =>
  (await rowsOf(url, "SELECT stream_id FROM svc_event_stream WHERE event_type = 'OrderCreated'")).flat();

/** Every acknowledged order is stored exactly once; others are at most those of unanswered keys. */
export async function mustBeStoredOnce(
  url: string,
  load: Load,
  host: { readonly url: string },
): Promise<void> {
  const repeated = load.unanswered.values();
  const repeat = async (): Promise<void> => {
    for (const key of repeated) {
      const answer = await createOrder(host.url, key);
      assert.is(answer.status, 200);
      load.acknowledged.set(key, orderIdIn(answer));
    }
  };
  await Promise.all(Array.from({ length: 8 }, repeat));
  assert.equal((await ordersIn(url)).toSorted(), [...load.acknowledged.values()].toSorted());
  const positions = await rowsOf(url, 'SELECT DISTINCT stream_position FROM svc_event_stream');
  assert.equal(positions, [['1']]);
}

export const untilDraining = (host: SpawnedHost): Promise<void> =>
  new Promise((resolve) => {
    host.onLine((line) => line.includes('"draining"') && resolve());
  });

export const answersAfterFreeze = (frozenMs: number): Promise<void> =>
  withStore((url) =>
    withOrders({ DATABASE_URL: url }, async (host) => {
      const draining = untilDraining(host);
      const ended = host.kill('SIGTERM');
      await draining;
      process.kill(host.pid, 'SIGSTOP');
      const answers = Array.from({ length: 5 }, () => createOrder(host.url));
      await delay(frozenMs);
      process.kill(host.pid, 'SIGCONT');
      for (const answer of await Promise.all(answers)) assert.is(answer.status, 200);
      assert.equal(await ended, { code: 0, signal: null });
    }),
  );

/** Idle connections are closed 2.5 s after the signal: these clients send shortly before and after. */
export const answersLateSenders = (clients: number): Promise<void> =>
  withStore((url) =>
    withOrders({ DATABASE_URL: url }, async (host) => {
      const lines = await Promise.all(Array.from({ length: clients }, () => openRaw(host.url)));
      const draining = untilDraining(host);
      const ended = host.kill('SIGTERM');
      await draining;
      const from = performance.now();
      const answers = lines.map(async (line, n) => {
        await delay(2_440 + (200 * n) / clients - (performance.now() - from));
        // A client that comes too late on a busy machine finds a closed connection, once it has looked, and nothing is lost.
        await new Promise(setImmediate);
        if (line.socket.readableEnded || line.socket.destroyed) return true;
        line.write(rawPost('/orders', JSON.stringify(anOrder)));
        return /^HTTP\/1\.1 \d{3} /.test(await line.closed);
      });
      assert.equal((await Promise.all(answers)).filter((isAnswered) => !isAnswered).length, 0);
      assert.equal(await ended, { code: 0, signal: null });
    }),
  );

const mustHaveRefusedOnly = (load: Load): void =>
  assert.equal(
    [...load.others.keys()].filter((status) => status !== '503' && status !== '504'),
    [],
  );

export const survivesClosedConnections = (rounds: number): Promise<void> =>
  withStore((url) =>
    withOrders({ DATABASE_URL: url }, async (host) => {
      const load = startLoad({ url: host.url, clients: 32, backOffMs: 100 });
      for (let round = 1; round <= rounds; round++) {
        await load.reached(round * 100);
        await rowsOf(
          url,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
      }
      await load.reached(load.acknowledged.size + 200);
      await load.stop();
      mustHaveRefusedOnly(load);
      await mustBeStoredOnce(url, load, host);
      assert.equal(await host.kill('SIGTERM'), { code: 0, signal: null });
    }),
  );

/** Each outage lasts until this many requests were refused, by default one of each client. */
export const survivesOutages = (rounds: number, refusals = 32): Promise<void> =>
  withStore((url) =>
    withProxy(url, (line) =>
      withOrders({ DATABASE_URL: line.url }, async (host) => {
        const load = startLoad({ url: host.url, clients: 32, backOffMs: 100 });
        for (let round = 0; round < rounds; round++) {
          await load.reached(load.acknowledged.size + 200);
          await line.cut();
          const before = load.others.get('503') ?? 0;
          await load.refused('503', before + refusals);
          await line.restore();
        }
        await load.reached(load.acknowledged.size + 200);
        await load.stop();
        mustHaveRefusedOnly(load);
        await mustBeStoredOnce(url, load, host);
      }),
    ),
  );
