import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf, post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { failpoints } from '../chaos/harness/fault-plan.js';
import { auditedThroughKills, mustBeAuditedOnce } from '../testing/audited-load.js';
import { createOrder, type Load, orderIdIn, startLoad } from '../testing/order-load.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('audit of a host that dies');

test('kill -9 under load, three times: every command and event is audited exactly once', () =>
  auditedThroughKills(3));

for (const failpoint of failpoints.filter((name) => name.startsWith('store') || name.includes('claim'))) {
  test(`a host that dies at ${failpoint} leaves every command and event audited exactly once`, () =>
    withStore(async (url) => {
      const loads: Load[] = [];
      await withOrders({ DATABASE_URL: url, SVC_FAILPOINTS: `${failpoint}@40` }, async (host) => {
        const load = startLoad({ url: host.url, clients: 32 });
        loads.push(load);
        assert.equal(await host.ended, { code: null, signal: 'SIGKILL' });
        await load.done;
      });
      await withOrders({ DATABASE_URL: url }, async (host) => {
        const [load] = loads;
        assert.ok(load && load.acknowledged.size + load.unanswered.size > 0);
        await mustBeAuditedOnce(url, load, host);
      });
    }));
}

for (const failpoint of failpoints.filter((name) => !name.startsWith('store') && !name.includes('claim'))) {
  test(`a host that dies at ${failpoint} while a command is recovered stores no audit of it, and answers once`, () =>
    withStore(async (url) => {
      const body = (orderId: string) => ({ orderId, carrier: 'down' });
      const asked = { path: '/orders/ship', headers: { 'idempotency-key': 'ship-1' } };
      let orderId = '';
      await withOrders({ DATABASE_URL: url, SVC_FAILPOINTS: failpoint }, async (host) => {
        orderId = orderIdIn(await createOrder(host.url));
        await post(host.url, body(orderId), asked).catch(() => undefined);
        assert.equal(await host.ended, { code: null, signal: 'SIGKILL' });
      });
      await withOrders({ DATABASE_URL: url }, async (host) => {
        const answers = [
          await post(host.url, body(orderId), asked),
          await post(host.url, body(orderId), asked),
        ];
        for (const answer of answers) assert.equal(jsonOf(answer), { orderId, status: 'queued' });
        assert.is(answers[1]?.headers['idempotency-replayed'], 'true');
        const audits = await rowsOf(
          url,
          `SELECT data ->> 'commandType' FROM svc_system_stream
            WHERE event_type = 'CommandAudited' AND data ->> 'commandType' <> 'ReserveStock'`,
        );
        assert.equal(audits, [['CreateOrder']]);
        // The process of an order may have reserved its stock by now.
        const stored = `SELECT event_type FROM svc_event_stream WHERE event_type LIKE 'Order%'`;
        assert.equal(await rowsOf(url, stored), [['OrderCreated']]);
      });
    }));
}
