import { execFile } from 'node:child_process';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import { openHome, removeHome } from '../../runtime/database/embedded/server-home.js';
import { execute } from '../../runtime/testing/database.js';
import { exampleHere } from '../../runtime/testing/process-root.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { temporaryFolder } from '../../runtime/testing/temporary-folder.js';
import { until } from '../../runtime/testing/until.js';
import { createOrder } from '../testing/order-load.js';
import { probe } from '../testing/probed-host.js';
import { withOrders } from '../testing/spawned-host.js';
import { readConfig } from '../config.js';
import { loadService } from '../load-service.js';
import { startHost } from './host.js';

const test = suite('a store that was restored while no host ran');

const orders = await loadService(exampleHere('orders'));

async function withDataDir(body: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await temporaryFolder();
  try {
    await body(dataDir);
  } finally {
    await (await startEmbeddedServer({ dataDir })).stop();
    await removeHome(dataDir);
  }
}

type Body = (host: { readonly url: string }) => Promise<unknown>;

/** Runs a host until it is stopped. */
async function run(dataDir: string, body: Body): Promise<void> {
  const env = { SVC_PORT: '0', SVC_DATA_DIR: dataDir, SVC_NAME: 'north' };
  const host = await startHost(orders, readConfig(env));
  try {
    await body(host);
  } finally {
    await host.stop();
  }
}

const runUntilKilled = (dataDir: string, body: Body): Promise<void> =>
  withOrders({ SVC_DATA_DIR: dataDir, SVC_NAME: 'north' }, async (host) => {
    await body(host);
    await host.kill('SIGKILL');
  });

const ordersOf =
  (count: number) =>
  async ({ url }: { readonly url: string }): Promise<void> => {
    for (let n = 0; n < count; n++) assert.is((await createOrder(url)).status, 200);
  };

async function query(dataDir: string, text: string) {
  const server = await startEmbeddedServer({ dataDir });
  const rows = await rowsOf(server.url, text);
  await server.stop();
  return rows;
}

const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

const historyOf = async (url: string) =>
  (await probe(url, '/health')).checks.find(({ name }) => name === 'store_history');

test('the next host reports the exact range that is lost, once', () =>
  withDataDir(async (dataDir) => {
    const { cluster } = await openHome(dataDir);
    const backup = `${cluster}.backup`;
    await run(dataDir, ordersOf(1));
    await copy(cluster, backup);
    const [[fork] = []] = await query(dataDir, headText);
    await run(dataDir, ordersOf(2));
    const [[lostTo] = []] = await query(dataDir, headText);
    await rm(cluster, { recursive: true });
    await rename(backup, cluster);
    await run(dataDir, async ({ url }) => {
      const range = `The database went back to position ${fork}: acknowledged events up to position ${lostTo} are lost (epoch 2).`;
      await until(async () => (await historyOf(url))?.detail?.startsWith(range) === true);
    });
    await run(dataDir, async (host) => {
      await ordersOf(4)(host);
      assert.is((await historyOf(host.url))?.status, 'Healthy');
    });
    assert.equal(await query(dataDir, reportsText), [['2', fork, lostTo, 'north']]);
  }));

test('a host that was killed is known to have seen what it had seen some seconds before', () =>
  withDataDir(async (dataDir) => {
    const files = () => readdir(join(dataDir, 'witness')).catch(() => []);
    const untilWritten = () => until(async () => (await files()).some((name) => name.endsWith('.json')));
    await runUntilKilled(dataDir, (host) => ordersOf(1)(host).then(untilWritten));
    const server = await startEmbeddedServer({ dataDir });
    await execute(server.url, goBackText);
    await server.stop();
    await run(dataDir, ({ url }) => until(async () => (await historyOf(url))?.status === 'Degraded'));
    assert.is((await query(dataDir, reportsText)).length, 1);
  }));

const headText = `SELECT greatest((SELECT max(global_position) FROM svc_events), (SELECT max(global_position) FROM svc_system_events))`;
const reportsText = `SELECT data->>'epoch', data->>'fork', data->>'lostTo', data->>'witness' FROM svc_system_stream
  WHERE event_type = 'StoreWentBack'`;
const goBackText = `SET session_replication_role = replica;
  DELETE FROM svc_system_events WHERE global_position >= (SELECT min(global_position) FROM svc_events);
  DELETE FROM svc_events`;
