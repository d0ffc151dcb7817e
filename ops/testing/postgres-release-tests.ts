import * as assert from 'uvu/assert';
import type { Timestamp, Uuid } from '../../contracts/scalars.js';
import { suite, type Test } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { jsonOf, post, send } from '../../endpoints/testing/http-client.js';
import { openDatabase } from '../../runtime/database/database.js';
import { execute, withName } from '../../runtime/kit/database.js';
import { type PostgresRelease, withPostgres } from '../../runtime/testing/postgres-release.js';
import { exampleHere } from '../../runtime/testing/process-root.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { useSegmentsOf } from '../../runtime/testing/small-segments.js';
import { until } from '../../runtime/kit/until.js';
import { cliEditor } from '../cli/access-editor.js';
import { readConfig } from '../config/config.js';
import { defaultOptions } from '../deploy/default-options.js';
import { DeploymentStore } from '../deploy/deployment-store.js';
import { postgresJournal } from '../deploy/postgres-journal.js';
import { deploymentOf } from '../deploy/testing/in-memory-journal.js';
import { type Host, startHost } from '../host/host.js';
import { loadService } from '../service/load-service.js';
import { forget, newCustomers, register, shows, withHost } from './customer-hosts.js';
import { guardedShop } from './guarded-shop.js';
import { svcInProcess } from './in-process-cli.js';
import { createOrder, orderIdIn } from './order-load.js';
import { callRoutines, routinesNotCalled } from './routine-calls.js';

interface Scene {
  readonly host: Host;
  /** The store of the host, as its owner. */
  readonly url: string;
  /** The server, as a superuser. */
  readonly server: string;
  readonly svc: (...args: readonly string[]) => Promise<string>;
}

/** What a host does with its store, each thing once: what a release of PostgreSQL cannot do fails here. */
export function testsOnPostgres(release?: PostgresRelease): void {
  const test = suite(`PostgreSQL ${release ?? 'as npm installs it'}`);
  const onHost = sharedIn<Scene>(test, (body) =>
    withPostgres(release, async (server) => {
      await execute(server, "ALTER ROLE ALL SET track_functions = 'all'");
      await withOrders(server, (scene) => body({ ...scene, server }));
    }),
  );
  serverTests(test, onHost, release ?? '18');
  readModelTests(test, onHost);
  operatorTests(test, onHost);
  otherServiceTests(test, onHost);
  // Last: it stops the host, and looks at what all others have called.
  routineTests(test, onHost);
}

type OnHost = (body: (scene: Scene) => Promise<void>) => Promise<void>;

function serverTests(test: Test, onHost: OnHost, release: string): void {
  test('the server has the version that was asked for', () =>
    onHost(async ({ server }) => {
      const [[version = ''] = []] = await rowsOf(server, 'SHOW server_version');
      assert.is(version.split('.')[0], release);
    }));

  test('an owner that is no superuser has a store in a database with an ICU collation', () =>
    onHost(async ({ url, svc }) => {
      const [row] = await rowsOf(
        url,
        `SELECT d.datlocprovider, r.rolsuper, has_table_privilege('svc_runtime', 'svc_events', 'UPDATE')
          FROM pg_database d JOIN pg_roles r ON r.oid = d.datdba WHERE d.datname = current_database()`,
      );
      assert.equal(row, ['i', 'false', 'false']);
      await svc('check', 'pre', exampleHere('orders'));
    }));

  test('a process waits for its timer, and takes the order back when it fires', () =>
    onHost(async ({ host, url }) => {
      const orderId = orderIdIn(await createOrder(host.url));
      const isIn = (state: string) =>
        until(async () => (await rowsOf(url, processOf(orderId)))[0]?.[0] === state);
      await isIn('awaitingPayment');
      await execute(url, `UPDATE svc_timers SET due_at = due_at - interval '15 minutes'`);
      await isIn('cancelled');
    }));
}

function readModelTests(test: Test, onHost: OnHost): void {
  test('a rebuild over sealed segments ends with the same rows', () =>
    onHost(async ({ host, url, svc }) => {
      for (let n = 0; n < 12; n++) assert.is((await createOrder(host.url)).status, 200);
      await settled(url);
      await svc('segments', 'seal');
      assert.match(await svc('segments', 'list'), /sealed/);
      const before = await rowsOf(url, summaries);
      await svc('perspectives', 'rebuild', 'order-summary', '--mode', 'BlueGreen');
      assert.equal(await rowsOf(url, summaries), before);
    }));

  test('a late event rewinds its stream', () =>
    onHost(async ({ host, url }) => {
      const orderId = orderIdIn(await createOrder(host.url));
      const occurredAt = new Date(Date.now() - 3_600_000).toISOString();
      await host.service.eventStore.append(orderId, shipped(orderId, occurredAt), { occurredAt });
      const text = `SELECT 1 FROM svc_system_stream
        WHERE event_type = 'StreamRewindCompleted' AND data ->> 'streamId' = '${orderId}'`;
      await until(async () => (await rowsOf(url, text)).length === 1);
    }));

  test('a list is read in pages, sorted and filtered', () =>
    onHost(async ({ host, url }) => {
      await settled(url);
      const read = async (query: string) =>
        jsonOf(await send(host.url, { method: 'GET', path: `/orders?${query}` })) as Page;
      const first = await read('sort=-total&pageSize=5');
      const next = await read(`sort=-total&pageSize=5&cursor=${first.nextCursor ?? ''}`);
      const ids = new Set([...first.data, ...next.data].map(({ orderId }) => orderId));
      assert.is(ids.size, 10);
      assert.is((await read('filter[status][contains]=CANCEL')).data.length, 1);
    }));

  test('an event that is sent again keeps the position that it has', () =>
    onHost(async ({ host }) => {
      const orderId = orderIdIn(await createOrder(host.url));
      const event = shipped(orderId, new Date().toISOString());
      const store = host.service.eventStore;
      const { positions } = await store.append(orderId, event);
      assert.equal((await store.append(orderId, event)).positions, positions);
    }));
}

function operatorTests(test: Test, onHost: OnHost): void {
  test('a flag is turned on, and a deployment is recorded', () =>
    onHost(async ({ url, svc }) => {
      await svc('flags', 'on', 'gift-wrap', '--reason', 'a pilot');
      const owner = openDatabase({ url });
      try {
        const store = new DeploymentStore(owner, cliEditor({ name: 'test', broadcast: false }));
        const options = { ...defaultOptions('canary'), replicas: 2, oldReplicas: 2 };
        const { id } = await store.start({ ...deploymentOf('canary', options), id: newUuid() }, newUuid());
        const holder = newUuid();
        await owner.rows({ text: 'UPDATE svc_deployments SET lease_expires_at = clock_timestamp()' });
        await store.acquire(id, holder);
        await postgresJournal(store, id, holder).finish('completed');
      } finally {
        await owner.close();
      }
      const types = await rowsOf(url, 'SELECT DISTINCT event_type FROM svc_system_stream');
      for (const type of ['FlagChanged', 'DeploymentStarted', 'DeploymentCompleted'])
        assert.ok(types.flat().includes(type), type);
    }));

  test('the chain of records and the events that they audit are verified', () =>
    onHost(async ({ svc }) => {
      assert.ok((JSON.parse(await svc('audit', 'verify', '--events', '--json')) as { ok: boolean }).ok);
    }));
}

function otherServiceTests(test: Test, onHost: OnHost): void {
  test('a forgotten subject reads as null', () =>
    onHost(async ({ server }) => {
      const url = await newDatabase(server, 'customers');
      await withHost(url, async ({ url: at }) => {
        const { eve } = newCustomers();
        await register(at, eve);
        await shows(at, `/customers/${eve.customerId}`, { email: eve.email });
        const done = await forget(url, eve.customerId);
        assert.is(done.code, 0, done.stderr);
        await shows(at, `/customers/${eve.customerId}`, { email: null });
      });
    }));

  test('a denied access is recorded', () =>
    onHost(async ({ server }) => {
      const url = await newDatabase(server, 'shop');
      const host = await startHost(guardedShop, readConfig({ SVC_PORT: '0', DATABASE_URL: url }));
      const { status } = await post(host.url, { item: 'lamp' }, { path: '/place' });
      await host.stop();
      assert.is(status, 401);
      const text = "SELECT 1 FROM svc_system_stream WHERE event_type = 'AccessDenied'";
      assert.is((await rowsOf(url, text)).length, 1);
    }));
}

function routineTests(test: Test, onHost: OnHost): void {
  test('each routine is called, by a host or here', () =>
    onHost(async ({ host, url, server }) => {
      await host.stop();
      await callRoutines(url);
      assert.equal(await routinesNotCalled(server), []);
    }));
}

interface Page {
  readonly data: readonly { readonly orderId: string }[];
  readonly nextCursor?: string;
}

const shipped = (orderId: Uuid, timestamp: Timestamp) => ({
  messageId: newUuid(),
  messageType: 'OrderShipped',
  payload: { orderId, carrier: 'DHL' },
  timestamp,
  v: 1,
});

const processOf = (orderId: string): string =>
  `SELECT state FROM svc_processes WHERE name = 'order-fulfilment' AND key = '${orderId}'`;

const summaries = "SELECT id, model - 'updatedAt' FROM svc_per_order_summary ORDER BY id";

const unsettled = `SELECT 1 FROM svc_event_stream e
  LEFT JOIN svc_processes p ON p.name = 'order-fulfilment' AND p.key = e.stream_id::text
  LEFT JOIN svc_per_order_summary s ON s.id = e.stream_id::text
  WHERE e.event_type = 'OrderCreated' AND NOT coalesce(
    s.id IS NOT NULL AND (p.state = 'awaitingPayment' OR (p.state = 'cancelled' AND s.status = 'cancelled')), false)`;

/** Every order waits for its payment, or is cancelled, and has a summary that says so. */
const settled = (url: string): Promise<number> =>
  until(async () => (await rowsOf(url, unsettled)).length === 0);

/** A host of the orders example whose owner may create roles and databases' objects, and nothing else. */
async function withOrders(
  server: string,
  body: (scene: Omit<Scene, 'server'>) => Promise<void>,
): Promise<void> {
  await execute(server, "CREATE ROLE store_owner LOGIN CREATEROLE PASSWORD 'secret'");
  await execute(
    server,
    `CREATE DATABASE orders OWNER store_owner ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en' TEMPLATE template0`,
  );
  const at = new URL(withName(server, 'orders'));
  [at.username, at.password] = ['store_owner', 'secret'];
  const env = { DATABASE_URL: at.href };
  const svc: Scene['svc'] = async (...args) => {
    const { code, stdout, stderr } = await svcInProcess(args, env);
    assert.is(code, 0, stdout + stderr);
    return stdout;
  };
  await svc('migrate');
  await useSegmentsOf(at.href, 16);
  const host = await startHost(await loadService(exampleHere('orders')), ordersConfig(env));
  try {
    await body({ host, url: at.href, svc });
  } finally {
    await host.stop();
  }
}

const ordersConfig = (env: Readonly<Record<string, string>>) =>
  readConfig({ SVC_PORT: '0', SVC_NAME: `n${newUuid()}`, SVC_LOG: 'error', ...env });

async function newDatabase(server: string, name: string): Promise<string> {
  await execute(server, `CREATE DATABASE ${name}`);
  return withName(server, name);
}
