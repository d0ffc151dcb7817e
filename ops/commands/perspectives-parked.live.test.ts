import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { svcInProcess as svc } from '../testing/in-process-cli.js';
import { withOrders } from '../testing/spawned-host.js';
import { order, headers, parsed } from '../testing/placed-orders.js';

const test = suite('svc perspectives parked');

test('a parked row keeps its state, its reads report it, and parked lists and releases it', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url, SVC_ACTOR: 'ida' };
    await withOrders({ ...env, SVC_AUDIT: 'all' }, async (host) => {
      const good = await fetch(`${host.url}/orders`, {
        method: 'POST',
        headers,
        body: JSON.stringify(order),
      });
      assert.equal(
        [good.headers.get('preference-applied'), good.headers.get('svc-model')],
        ['wait=20', null],
      );
      const [[table] = []] = await query(
        url,
        "SELECT table_name FROM svc_perspectives WHERE name = 'order-summary'",
      );
      await query(url, `ALTER TABLE ${table ?? ''} ADD CONSTRAINT cheap CHECK (total < 100)`);
      const dear = { ...order, lineItems: [{ productId: 'cake', quantity: 1, unitPrice: '100.00' }] };
      const bad = await fetch(`${host.url}/orders`, { method: 'POST', headers, body: JSON.stringify(dear) });
      const { orderId } = (await bad.json()) as { orderId: string };
      assert.equal([bad.status, bad.headers.get('preference-applied')], [200, null]);
      assert.is(bad.headers.get('svc-model'), 'parked');
      const read = await fetch(`${host.url}/orders/${orderId}`);
      assert.equal([read.status, read.headers.get('svc-model')], [404, 'parked']);
      // System events that follow the command move the head; the cursor follows them.
      const summary = async (): Promise<Record<string, unknown>> => {
        const { stdout } = await svc(['perspectives', 'list', '--json'], env);
        return (JSON.parse(stdout) as Record<string, unknown>[]).find(
          ({ name }) => name === 'order-summary',
        ) as Record<string, unknown>;
      };
      const waiting = "SELECT 1 FROM svc_processes WHERE state = 'awaitingPayment'";
      // Once both orders wait for their payment, nothing more is stored.
      await until(async () => (await query(url, waiting)).length === 2);
      await until(async () => (await summary())['state'] === 'parked');
      const { lag, parked } = await summary();
      assert.equal([lag, parked], [1, 1]);
      assert.match(
        (await svc(['perspectives', 'list'], env)).stdout,
        /^order-summary +parked +at \d+, 1 behind, 1 parked\n {2}.*violates check constraint/m,
      );
      const verb = ['perspectives', 'parked', 'order-summary'];
      const [row] = JSON.parse((await svc([...verb, '--json'], env)).stdout) as Record<string, unknown>[];
      assert.equal([row?.['key'], row?.['eventType'], row?.['attempts']], [orderId, 'OrderCreated', 3]);
      assert.match(String(row?.['error']), /violates check constraint/);
      assert.match(
        (await svc(verb, env)).stdout,
        new RegExp(`^${orderId}  at \\d+ OrderCreated .*3 attempts`),
      );
      assert.is((await svc([...verb, '--release', 'nobody'], env)).code, 1);
      await query(url, `ALTER TABLE ${table ?? ''} DROP CONSTRAINT cheap`);
      const released = await svc(
        [...verb, '--release', orderId, '--reason', 'cakes are dear', '--json'],
        env,
      );
      assert.equal(parsed(released.stdout), { released: 1 });
      await until(async () => (await fetch(`${host.url}/orders/${orderId}`)).status === 200);
      assert.is((await fetch(`${host.url}/orders/${orderId}`)).headers.get('svc-model'), null);
      const acted = `SELECT data ->> 'action', data ->> 'target', data ->> 'actor', data ->> 'reason'
        FROM svc_system_stream WHERE event_type = 'OperatorActed'`;
      assert.equal(await query(url, acted), [
        ['perspectives release', `order-summary ${orderId}`, 'ida', 'cakes are dear'],
      ]);
      assert.match((await svc(verb, env)).stdout, /^order-summary has no parked rows\./);
    });
  }));
