import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type Answered, jsonOf } from '../../endpoints/testing/http-client.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { createOrder } from '../testing/order-load.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { untilReady } from '../testing/probed-host.js';
import { withHost, historyOf, headText, lastUnitText, reportsText } from '../testing/failing-over.js';

const test = suite('a host whose database went back in time');

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

const problemOf = (answer: Answered): unknown => (jsonOf(answer) as { readonly type?: unknown }).type;
