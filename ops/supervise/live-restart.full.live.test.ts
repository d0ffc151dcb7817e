import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { createOrder } from '../testing/order-load.js';
import { ReconnectingWatcher } from '../testing/reconnecting-watcher.js';
import type { SupervisorStatus } from './status-socket.js';
import { allRun, pids, type SpawnedSupervisor, withSupervisor } from '../testing/spawned-supervisor.js';

const test = suite('watchers of supervised hosts');

const created = `SELECT global_position FROM svc_event_stream WHERE event_type = 'OrderCreated' ORDER BY 1`;

/** Orders are created until the body has ended. */
async function whileOrdering(url: string, body: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const order = async (): Promise<void> => {
    // What a killed host did not answer may be in the log or not: the log decides.
    while (!over.signal.aborted) await Promise.all([createOrder(url).catch(() => undefined), delay(40)]);
  };
  const clients = [order(), order()];
  await body().finally(() => over.abort());
  await Promise.all(clients);
}

/** Waits for a status; a supervisor on a loaded machine may miss a question. */
const untilStatus = (
  supervisor: SpawnedSupervisor,
  isSo: (status: SupervisorStatus) => boolean,
): Promise<number> =>
  until(async () => {
    const status = await supervisor.status().catch(() => undefined);
    return status !== undefined && status.state === 'running' && allRun(status) && isSo(status);
  }, 240_000);

async function pidsOf(supervisor: SpawnedSupervisor): Promise<readonly (number | undefined)[]> {
  let found: readonly (number | undefined)[] = [];
  await untilStatus(supervisor, (status) => {
    found = pids(status);
    return true;
  });
  return found;
}

async function restart(supervisor: SpawnedSupervisor): Promise<void> {
  const before = await pidsOf(supervisor);
  process.kill(supervisor.pid, 'SIGHUP');
  await untilStatus(supervisor, (status) => pids(status).every((pid) => !before.includes(pid)));
}

test('over storms, rolling restarts and a killed host, 100 watchers get every change of the log once', () =>
  withStore((databaseUrl) =>
    withSupervisor({ env: { DATABASE_URL: databaseUrl } }, async (supervisor) => {
      const watchers = Array.from(
        { length: 100 },
        () => new ReconnectingWatcher(() => `${supervisor.url}/orders/live`),
      );
      await until(() => watchers.every(({ isReady }) => isReady), 120_000);
      await whileOrdering(supervisor.url, async () => {
        const cutAll = () => Promise.all(watchers.map((watcher) => watcher.cut()));
        for (let n = 0; n < 2; n++) {
          await restart(supervisor);
          await cutAll();
        }
        const [lost] = await pidsOf(supervisor);
        assert.ok(lost);
        process.kill(lost, 'SIGKILL');
        await untilStatus(supervisor, (status) => !pids(status).includes(lost));
        for (let n = 0; n < 10; n++) {
          await Promise.all([cutAll(), createOrder(supervisor.url)]);
        }
      });
      const expected = (await rowsOf(databaseUrl, created)).map(([position]) => Number(position));
      assert.ok(expected.length > 20, `${expected.length} orders`);
      const haveAll = () => watchers.every(({ positions }) => positions.length >= expected.length);
      await until(haveAll, 120_000).catch(() => undefined);
      for (const watcher of watchers) await watcher.stop();
      for (const { positions, resets } of watchers) {
        assert.is(resets, 0);
        assert.equal(positions, expected);
      }
    }),
  ));
