import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf, post, send } from '../../endpoints/testing/http-client.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/testing/until.js';
import { readConfig } from '../config.js';
import { parcelOrders, withStoreOf } from '../testing/earlier-store.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { anOrder } from '../testing/order-load.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { type Host, startHost } from './host.js';

const test = suite('earlier store');

/** On a store that version 0.1.0 created. */
const whileRunning = sharedIn<{ readonly host: Host; readonly database: string }>(test, (body) =>
  withStoreOf('0.1.0', async (database) => {
    const host = await startHost(await parcelOrders(), configFor(database));
    try {
      await body({ host, database });
    } finally {
      await host.stop();
    }
  }),
);

const configFor = (url: string) =>
  readConfig({ SVC_PORT: '0', SVC_NAME: 'harbour', DATABASE_URL: url, SVC_LOG: 'error' });

for (const [version, records] of [
  ['0.1.0', 171],
  ['0.2.0', 232],
] as const)
  test(`the chain of ${version} and the chain it received verify, before a host has run on it and after`, () =>
    chainsVerify(version, records));

const chainsVerify = (version: string, records: number): Promise<void> =>
  withStoreOf(version, async (url) => {
    const [island] = await rowsOf(url, 'SELECT store FROM svc_origins WHERE origin = 1');
    assert.equal(await verified(url), { ok: true, records });
    assert.equal(await verified(url, '--origin', island?.[0] ?? ''), { ok: true, records: 42 });
    const host = await startHost(await parcelOrders(), configFor(url));
    await post(host.url, anOrder, { path: '/orders' });
    await host.stop();
    const [count] = await rowsOf(url, 'SELECT count(*) FROM svc_system_events');
    assert.ok(Number(count?.[0]) > records);
    assert.equal(await verified(url, '--events'), { ok: true, records: Number(count?.[0]) });
    assert.equal(await verified(url, '--origin', island?.[0] ?? ''), { ok: true, records: 42 });
    const [store] = await rowsOf(url, 'SELECT formula2_from FROM svc_store');
    const from = Number(store?.[0]);
    assert.ok(from > records && from <= Number(count?.[0]), `formula 2 from ${from}`);
  });

test('its streams continue where they ended, and so do its read models', () =>
  whileRunning(async ({ host: { url }, database }) => {
    const created = `SELECT stream_id FROM svc_events WHERE origin = 0 GROUP BY 1
      HAVING count(*) = 1 AND min(event_type) = 'OrderCreated' LIMIT 1`;
    const [[open] = []] = await rowsOf(database, created);
    assert.ok(open);
    const shipping = { orderId: open, carrier: 'Royal Mail' };
    assert.is((await post(url, shipping, { path: '/orders/ship' })).status, 200);
    await until(async () => (await statusOf(url, open)) === 'shipped');
    const steps = `SELECT model -> 'steps' ->> 1 FROM svc_per_order_steps WHERE id = '${open}'`;
    await until(async () => String(await rowsOf(database, steps)) === 'OrderShipped');
    assert.equal(
      await rowsOf(database, `SELECT stream_position FROM svc_events WHERE stream_id = '${open}' ORDER BY 1`),
      [['1'], ['2']],
    );
  }));

test('its SQL files stay applied, including one whose edit had failed', () =>
  whileRunning(async ({ database: url }) => {
    const files = `SELECT migration_key, status, strategy FROM svc_schema_migrations
      WHERE migration_key LIKE 'migrations/%' ORDER BY 1`;
    assert.equal(await rowsOf(url, files), [
      ['migrations/001-parcels.sql', '3', 'DirectDdl'],
      ['migrations/002-parcels-by-label.sql', '3', 'DirectDdl'],
      ['migrations/003-weight-in-kilograms.sql', '3', 'ColumnCopy'],
      ['migrations/004-heavy-parcels.sql', '3', 'DirectDdl'],
      ['migrations/005-parcels-are-heavier.sql', '3', 'DirectDdl'],
    ]);
    assert.equal(await rowsOf(url, 'SELECT weight FROM parcels WHERE id = 1'), [['1.250']]);
  }));

async function verified(url: string, ...args: string[]) {
  const { stdout } = await svcInProcess(['audit', 'verify', '--json', ...args], { DATABASE_URL: url });
  const { ok, records } = JSON.parse(stdout) as { ok: boolean; records: number };
  return { ok, records };
}

async function statusOf(url: string, orderId: string): Promise<string | undefined> {
  const answer = await send(url, { method: 'GET', path: `/orders/${orderId}` });
  return (jsonOf(answer) as { status?: string }).status;
}
