import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { verifyChain } from '../../runtime/audit/verify-chain.js';
import { openDatabase } from '../../runtime/database/database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { createOrder } from '../testing/order-load.js';
import { untilReady } from '../testing/probed-host.js';
import { withHost, historyOf, headText, lastUnitText, reportsText } from '../testing/failing-over.js';

const test = suite('a host whose database went back in time');

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

const behindText = 'SELECT 1 FROM pg_stat_replication WHERE replay_lsn < pg_current_wal_lsn()';
