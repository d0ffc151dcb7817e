import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type Answered, jsonOf } from '../../endpoints/testing/http-client.js';
import { verifyChain } from '../../runtime/audit/verify-chain.js';
import { openDatabase } from '../../runtime/database/database.js';
import { type NetworkProxy, withProxy } from '../../runtime/testing/network-proxy.js';
import { durableSettings, type PostgresPair, withPostgresPair } from '../../runtime/testing/postgres-pair.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/testing/until.js';
import { readConfig } from '../config.js';
import { createOrder } from '../testing/order-load.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { type Host, startHost } from './host.js';
import { probe, untilReady } from '../testing/probed-host.js';
import { ordersAlone } from '../testing/orders-alone.js';

const test = suite('a host whose database went back in time');

const withHost = (
  durability: string,
  body: (host: Host, pair: PostgresPair, line: NetworkProxy) => Promise<void>,
): Promise<void> =>
  withPostgresPair(
    (pair) =>
      withProxy(pair.url, async (line) => {
        const env = { SVC_PORT: '0', SVC_NAME: 'north', DATABASE_URL: line.url, SVC_DURABILITY: durability };
        const host = await startHost(ordersAlone, readConfig(env));
        try {
          await body(host, pair, line);
        } finally {
          await host.stop();
        }
      }),
    durableSettings,
  );

test('with async declared, a lossy failover is reported with the exact range, and the host goes on in a new epoch', () =>
  withHost('async', async (host, pair, line) => {
    assert.is((await createOrder(host.url)).status, 200);
    await until(async () => (await pair.admin(behindText)).length === 0);
    await pair.stopStandby();
    const [[fork] = []] = await rowsOf(pair.url, headText);
    for (let n = 0; n < 3; n++) assert.is((await createOrder(host.url)).status, 200);
    const [[lostTo] = []] = await rowsOf(pair.url, lastUnitText);
    await line.cut();
    line.route(await pair.failOver());
    await line.restore();
    for (let n = 0; n < 6; n++) await until(async () => (await createOrder(host.url)).status === 200);
    const range = `The database went back to position ${fork}: acknowledged events up to position ${lostTo} are lost (epoch 2).`;
    await until(async () => (await historyOf(host.url)).detail?.startsWith(range) === true);
    await untilReady(host.url, ({ code }) => code === 200);
    await until(async () => (await rowsOf(line.url, reportsText)).length > 0);
    assert.equal(await rowsOf(line.url, reportsText), [['2', String(fork), String(lostTo), 'north']]);
    const database = openDatabase({ url: line.url });
    const { ok } = await verifyChain(database);
    await database.close();
    assert.ok(ok, 'the chain holds after the loss');
    const metrics = await (await fetch(`${host.url}/metrics`)).text();
    assert.match(metrics, /^svc_store_losses_total 1$/m);
    assert.match(metrics, /^svc_store_epoch 2$/m);
  }));

test('with sync declared, nothing is written to a store that went back until an operator accepts the loss', () =>
  withHost('sync', async (host, pair, line) => {
    for (let n = 0; n < 3; n++) assert.is((await createOrder(host.url)).status, 200);
    const [[head] = []] = await rowsOf(pair.url, headText);
    const [[lostTo] = []] = await rowsOf(pair.url, lastUnitText);
    const [[, first] = []] = await rowsOf(
      pair.url,
      `SELECT global_position, global_position + 2 FROM svc_events ORDER BY 1`,
    );
    await line.cut();
    await pair.admin('SET session_replication_role = replica');
    for (const table of ['svc_events', 'svc_system_events'])
      await pair.admin(`DELETE FROM ${table} WHERE global_position > ${Number(first)}`);
    await line.restore();
    assert.ok(Number(head) > Number(first));
    await until(async () => problemOf(await createOrder(host.url)) === 'urn:svc:problem:store-went-back');
    await untilReady(host.url, ({ code }) => code === 503);
    await until(async () => (await historyOf(host.url)).status === 'Unhealthy');
    assert.match((await historyOf(host.url)).detail ?? '', `up to position ${lostTo} are lost (epoch 2)`);
    const accepted = await svcInProcess(['store', 'accept-loss', '--reason', 'the disk burned', '--json'], {
      DATABASE_URL: pair.url,
    });
    assert.equal([accepted.code, accepted.stderr], [0, '']);
    await until(async () => (await createOrder(host.url)).status === 200);
    await untilReady(host.url, ({ code }) => code === 200);
    await until(async () => (await rowsOf(pair.url, reportsText)).length > 0);
    assert.equal(await rowsOf(pair.url, reportsText), [['2', String(first), String(lostTo), 'north']]);
  }));

const headText = `SELECT greatest((SELECT max(global_position) FROM svc_events), (SELECT max(global_position) FROM svc_system_events))`;
/** With the two audits behind the event. */
const lastUnitText = 'SELECT max(global_position) + 2 FROM svc_events';
const behindText = 'SELECT 1 FROM pg_stat_replication WHERE replay_lsn < pg_current_wal_lsn()';
const reportsText = `SELECT data->>'epoch', data->>'fork', data->>'lostTo', data->>'witness' FROM svc_system_stream
  WHERE event_type = 'StoreWentBack'`;

const problemOf = (answer: Answered): unknown => (jsonOf(answer) as { readonly type?: unknown }).type;

async function historyOf(url: string) {
  const { checks } = await probe(url, '/health');
  const check = checks.find(({ name }) => name === 'store_history');
  assert.ok(check);
  return check;
}
