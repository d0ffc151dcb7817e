import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import { readConfig } from '../config/config.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { createOrder } from '../testing/order-load.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { probe } from '../testing/probed-host.js';
import { type Host, startHost } from './host.js';

const test = suite('broadcast as a property of the store');

const startAt = (DATABASE_URL: string, name: string, broadcast: '0' | '1'): Promise<Host> =>
  startHost(
    ordersAlone,
    readConfig({ SVC_PORT: '0', SVC_NAME: name, DATABASE_URL, SVC_BROADCAST: broadcast }),
  );

const checkOf = async ({ url }: Host) =>
  (await probe(url, '/health')).checks.find(({ name }) => name === 'broadcast');

const says = (host: Host, pattern: RegExp) => async (): Promise<boolean> => {
  const { status, detail } = (await checkOf(host)) ?? {};
  return status === 'Degraded' && pattern.test(detail ?? '');
};

test('while running hosts differ both are Degraded and name each other; the last one that started is recorded', () =>
  withStore(async (store) => {
    const recorded = async () => (await rowsOf(store, 'SELECT broadcast FROM svc_store'))[0]?.[0];
    const quiet = await startAt(store, 'quiet', '0');
    try {
      assert.is((await checkOf(quiet))?.status, 'Healthy');
      assert.is(String(await recorded()), 'false');
      const loud = await startAt(store, 'loud', '1');
      assert.is(String(await recorded()), 'true');
      try {
        await until(says(loud, /^This host broadcasts system events, but quiet does not;/));
        await until(says(quiet, /^This host does not broadcast system events, but loud does;/));
      } finally {
        await loud.stop();
      }
      await until(says(quiet, /run svc store broadcast off --reason TEXT, or change SVC_BROADCAST/));
      await svcInProcess(['store', 'broadcast', 'off', '--reason', 'quiet stays'], { DATABASE_URL: store });
      await until(async () => (await checkOf(quiet))?.status === 'Healthy');
    } finally {
      await quiet.stop();
    }
  }));

test('what the command line records is published as the hosts declared, whatever the shell says', () =>
  withStore(async (store) => {
    const host = await startAt(store, 'loud', '1');
    await host.stop();
    const run = async (env: Record<string, string>, ...args: string[]): Promise<void> => {
      const { code, stderr } = await svcInProcess(args, { DATABASE_URL: store, ...env });
      assert.is(code, 0, stderr);
    };
    await run({}, 'keys', 'create', '--name', 'scraper', '--permissions', 'svc:observe');
    await run({}, 'flags', 'on', 'gift-wrap');
    await run({}, 'store', 'broadcast', 'off', '--reason', 'a test');
    await run({ SVC_BROADCAST: '1' }, 'flags', 'off', 'gift-wrap');
    const rows = await rowsOf(
      store,
      `SELECT event_type, publish FROM svc_system_events WHERE event_type IN ('OperatorActed', 'FlagChanged') ORDER BY stream_position`,
    );
    assert.equal(
      rows.map((row) => row.map(String)),
      [
        ['OperatorActed', 'true'],
        ['FlagChanged', 'true'],
        ['OperatorActed', 'true'],
        ['FlagChanged', 'false'],
      ],
    );
  }));

const monitor: ServiceDefinition = {
  name: 'monitor',
  receive: 'system',
  create: () => ({ endpoints: [], receptors: [] }),
};

test('republish sends what was kept in a store that broadcasts: the monitor has every record, and they verify', () =>
  withEmptyNats((NATS_URL) =>
    withStore((store) =>
      withStore(async (monitored) => {
        const env = { SVC_PORT: '0', NATS_URL, SVC_BROADCAST: '1' };
        const run = async (...args: string[]): Promise<void> => {
          const { code, stderr } = await svcInProcess(args, { DATABASE_URL: store });
          assert.is(code, 0, stderr);
        };
        const watching = await startHost(monitor, readConfig({ ...env, DATABASE_URL: monitored }));
        const host = await startHost(ordersAlone, readConfig({ ...env, DATABASE_URL: store }));
        try {
          const order = () => until(async () => (await createOrder(host.url)).status === 200);
          const idsIn = async (url: string, from: string) =>
            (await rowsOf(url, `SELECT event_id FROM ${from} ORDER BY stream_position`)).flat();
          const missing = async (): Promise<number> => {
            const received = new Set(await idsIn(monitored, 'svc_received_system_events'));
            return (await idsIn(store, 'svc_system_events')).filter((id) => !received.has(id)).length;
          };
          await order();
          await run('store', 'broadcast', 'off', '--reason', 'a test');
          await run('flags', 'on', 'gift-wrap');
          await run('store', 'broadcast', 'on', '--reason', 'a test');
          await order();
          await until(async () => (await rowsOf(store, 'SELECT 1 FROM svc_outbox_pending')).length === 0);
          assert.ok((await missing()) > 0);
          await run('outbox', 'republish', '--from', '1');
          await until(async () => (await missing()) === 0);
          const [[origin = ''] = []] = await rowsOf(store, 'SELECT id FROM svc_store');
          const verified = await svcInProcess(['audit', 'verify', '--origin', origin], {
            DATABASE_URL: monitored,
          });
          assert.is(verified.code, 0, verified.stdout + verified.stderr);
        } finally {
          await host.stop();
          await watching.stop();
        }
      }),
    ),
  ));
