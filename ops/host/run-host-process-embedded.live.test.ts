import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post } from '../../endpoints/testing/http-client.js';
import { openHome, removeHome } from '../../runtime/database/embedded/server-home.js';
import { poll } from '../../runtime/database/embedded/operating-system.js';
import { startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import { temporaryFolder } from '../../runtime/testing/temporary-folder.js';
import { createOrder, orderIdIn } from '../testing/order-load.js';
import {
  listeningTo,
  type SpawnedHost,
  startCli,
  startProgram,
  svc,
  withListening,
  withOrders,
} from '../testing/spawned-host.js';

const test = suite('host process with its own PostgreSQL');

async function withDataDir(body: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await temporaryFolder();
  try {
    await body(dataDir);
  } finally {
    // Adopts the server that a killed host left behind, and stops it.
    await (await startEmbeddedServer({ dataDir })).stop();
    await removeHome(dataDir);
  }
}

const cancel = async (host: SpawnedHost, orderId: string): Promise<number> =>
  (await post(host.url, { orderId, why: 'changed my mind' }, { path: '/orders/cancel' })).status;

/** The first line of its file is the process id. */
async function postmasterOf(dataDir: string): Promise<string | undefined> {
  const { cluster } = await openHome(dataDir);
  const file = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  return file.split('\n')[0] || undefined;
}

test('an order is there again after a stop and a start, and after kill -9 the running server is adopted', () =>
  withDataDir(async (dataDir) => {
    const env = { SVC_DATA_DIR: dataDir };
    const orders: string[] = [];
    await withOrders(env, async (host) => {
      orders.push(orderIdIn(await createOrder(host.url)));
      assert.equal(await host.kill('SIGTERM'), { code: 0, signal: null });
      assert.is(await postmasterOf(dataDir), undefined, 'the server stops with its host');
    });
    let server: string | undefined;
    await withOrders(env, async (host) => {
      assert.is(await cancel(host, orders[0] ?? ''), 200);
      orders.push(orderIdIn(await createOrder(host.url)));
      server = await postmasterOf(dataDir);
      await host.kill('SIGKILL');
    });
    await withOrders(env, async (host) => {
      assert.ok(server);
      assert.is(await postmasterOf(dataDir), server, 'the same server runs on');
      assert.is(await cancel(host, orders[0] ?? ''), 409);
      assert.is(await cancel(host, orders[1] ?? ''), 200);
      await host.kill('SIGTERM');
      assert.is(await postmasterOf(dataDir), undefined, 'the host that adopts it also stops it');
    });
  }));

test('SIGTERM to npm start drains the host, and neither it nor its server outlives npm', () =>
  withDataDir(async (dataDir) => {
    // Do not rebuild during a test run: other tests use the build.
    const npm = startProgram('npm', ['-s', 'start', '--ignore-scripts'], { SVC_DATA_DIR: dataDir });
    await listeningTo(npm, async (host) => {
      assert.is((await createOrder(host.url)).status, 200);
      await host.kill('SIGTERM');
      assert.match(host.output.stdout.join(''), '"stopped"');
      assert.is(await postmasterOf(dataDir), undefined);
    });
  }));

const isOwned = async (dataDir: string): Promise<true | undefined> =>
  (await readdir((await openHome(dataDir)).folder)).some((name) => name.startsWith('owner.')) || undefined;

test('SIGTERM during the start ends it with 0 at every stage, and leaves no server behind', () =>
  withDataDir(async (dataDir) => {
    for (const reached of [isOwned, postmasterOf]) {
      const host = startCli(['start', 'examples/orders'], { SVC_DATA_DIR: dataDir });
      await poll<unknown>(() => reached(dataDir), { everyMs: 10, withinMs: 60_000 });
      assert.equal(await host.kill('SIGTERM'), { code: 0, signal: null }, reached.name);
      assert.is(await postmasterOf(dataDir), undefined, reached.name);
    }
  }));

/** Notes where it finds the database when it is imported, and whether the database is there when it is stopped. */
const curious = `
import { appendFileSync } from 'node:fs';
import { connect } from 'node:net';
const note = (line) => appendFileSync(new URL('./notes', import.meta.url), line + '\\n');
const { DATABASE_URL = 'none', DATABASE_OWNER_URL = 'none' } = process.env;
note(DATABASE_URL === 'none' ? 'none' : new URL(DATABASE_URL).username + ' ' + new URL(DATABASE_OWNER_URL).username);
const reachable = () => new Promise((resolve) => {
  const socket = connect(Number(new URL(DATABASE_URL).port), '127.0.0.1');
  socket.once('connect', () => resolve(socket.destroy() && 'stopped before the database'));
  socket.once('error', () => resolve('stopped after the database'));
});
export default {
  name: 'curious',
  create: () => ({ endpoints: [], receptors: [] }),
  stop: async () => note(await reachable()),
};`;

test('code of an application finds the embedded database wherever it runs, and may close its connections first', () =>
  withDataDir(async (dataDir) => {
    const app = join(dataDir, 'app.js');
    const notes = join(dataDir, 'notes');
    await writeFile(app, curious);
    await writeFile(join(dataDir, 'package.json'), '{ "type": "module" }');
    const env = { SVC_DATA_DIR: join(dataDir, '.svc') };
    await withListening(['start', app], env, async (host) => {
      assert.equal(await host.kill('SIGTERM'), { code: 0, signal: null });
    });
    assert.is((await svc(['migrate', app], env)).code, 0);
    assert.is((await svc(['check', 'pre', app], env)).code, 0);
    const once = ['svc_login svc', 'stopped before the database'];
    assert.equal((await readFile(notes, 'utf8')).trim().split('\n'), [...once, ...once, ...once]);
    assert.is(await postmasterOf(join(dataDir, '.svc')), undefined);
  }));
