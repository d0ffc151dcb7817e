import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf, post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { anOrder, createOrder, orderIdIn } from '../testing/order-load.js';
import { withHost } from '../testing/probed-host.js';

const test = suite('audit of a host');

test('responseType is the declared name of the result, for REST and GraphQL alike', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      assert.is((await createOrder(host.url)).status, 200);
      const query = 'mutation ($c: CreateOrderInput!) { createOrder(command: $c) { orderId } }';
      const answer = await post(host.url, { query, variables: { c: anOrder } }, { path: '/graphql' });
      assert.is((jsonOf(answer) as { errors?: unknown }).errors, undefined, answer.text);
      const audits = await rowsOf(
        url,
        `SELECT data ->> 'responseType', data ->> 'receptorName', data ->> 'commandType' FROM svc_system_stream
          WHERE event_type = 'CommandAudited' AND data ->> 'commandType' <> 'ReserveStock'`,
      );
      const expected = ['CreateOrderResult', 'CreateOrderReceptor', 'CreateOrder'];
      assert.equal(audits, [expected, expected]);
    }),
  ));

test('a command that its error-hook recovered has a CommandFailed and no CommandAudited', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      const orderId = orderIdIn(await createOrder(host.url));
      await post(host.url, { orderId, carrier: 'down' }, { path: '/orders/ship' });
      await host.stop();
      const failed = await rowsOf(
        url,
        `SELECT data ->> 'commandType', data ->> 'recovered', data -> 'error' ->> 'message' FROM svc_system_stream
          WHERE event_type = 'CommandFailed'`,
      );
      assert.equal(failed, [['ShipOrder', 'true', 'Carrier down does not answer']]);
      const audited = await rowsOf(
        url,
        `SELECT count(*) FROM svc_system_stream WHERE event_type = 'CommandAudited' AND data ->> 'commandType' = 'ShipOrder'`,
      );
      assert.equal(audited, [['0']]);
    }),
  ));

for (const [setting, types] of [
  ['all', ['CommandAudited', 'EventAudited']],
  ['events', ['EventAudited']],
  ['commands', ['CommandAudited']],
  ['off', []],
] as const) {
  test(`SVC_AUDIT=${setting} stores ${types.join(' and ') || 'no audit'}`, () =>
    withStore((url) =>
      withHost(
        url,
        async (host) => {
          await createOrder(host.url);
          const stored = await rowsOf(
            url,
            `SELECT DISTINCT event_type FROM svc_system_stream WHERE event_type LIKE '%Audited' ORDER BY 1`,
          );
          assert.equal(stored.flat(), [...types]);
        },
        { SVC_AUDIT: setting },
      ),
    ));
}
