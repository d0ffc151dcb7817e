import { join } from 'node:path';
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Authenticate } from '../contracts/identity.js';
import { type Answered, jsonOf, post, send } from '../endpoints/testing/http-client.js';
import { withMigratedDatabase } from '../runtime/testing/migrated-database.js';
import { readConfig } from './config.js';
import { repository } from './docs/reference-pages.js';
import { startHost } from './host/host.js';
import { loadService } from './load-service.js';
import { anOrder, orderIdIn } from './testing/order-load.js';

const test = suite('tenants');

const tenants = ['north', 'south', ''] as const;
type Tenant = (typeof tenants)[number];

/** A bearer token is the name of a tenant, or `-` for a caller without one. */
const authenticate: Authenticate = ({ headers }) => {
  const tenantId = String(headers['authorization']).slice('Bearer '.length);
  const scope = { userId: 'ann', ...(tenantId === '-' ? {} : { tenantId }) };
  return { source: 'test', scope, permissions: ['orders:*', 'audit:read'] };
};

const as = (tenant: Tenant) => ({ authorization: `Bearer ${tenant === '' ? '-' : tenant}` });

const actions = ['create', 'cancel', 'ship', 'archive', 'read'] as const;
const step = fc.record({
  tenant: fc.constantFrom(...tenants),
  action: fc.constantFrom(...actions),
  target: fc.nat(20),
});

/** Whether an answer admits that the order exists. */
async function admits(
  url: string,
  tenant: Tenant,
  action: (typeof actions)[number],
  orderId: string,
): Promise<boolean> {
  const headers = as(tenant);
  if (action === 'read')
    return (await send(url, { method: 'GET', path: `/orders/${orderId}`, headers })).status === 200;
  if (action !== 'archive')
    return (
      (await post(url, { orderId, carrier: 'dhl' }, { path: `/orders/${action}`, headers })).status !== 404
    );
  const query = `mutation { archiveOrder(command: { orderId: "${orderId}" }) { status } }`;
  return !(await post(url, { query }, { path: '/graphql', headers })).text.includes('order-not-found');
}

const rowsIn = (answer: Answered) =>
  (jsonOf(answer) as { readonly data: readonly Readonly<Record<string, unknown>>[] }).data;

test('whatever tenants do at the same time, each one reads and changes its own orders only', () =>
  withMigratedDatabase(async ({ url: DATABASE_URL, connect }) => {
    const definition = { ...(await loadService(join(repository, 'examples/orders'))), authenticate };
    const { url, stop } = await startHost(
      definition,
      readConfig({ SVC_PORT: '0', SVC_LOG: 'silent', DATABASE_URL }),
    );
    const owners = new Map<string, Tenant>();
    const created = { north: 0, south: 0, '': 0 };
    const create = async (tenant: Tenant): Promise<void> => {
      // All tenants use the same keys.
      const headers = { ...as(tenant), prefer: 'wait=10', 'idempotency-key': `order-${created[tenant]++}` };
      const answer = await post(url, anOrder, { path: '/orders', headers });
      assert.is(answer.status, 200, answer.text);
      owners.set(orderIdIn(answer), tenant);
    };
    try {
      for (const tenant of tenants) await create(tenant);
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
          const known = [...owners];
          await Promise.all(
            steps.map(async ({ tenant, action, target }) => {
              const [orderId = '', owner] = known[target % known.length] ?? [];
              if (action === 'create') await create(tenant);
              else
                assert.is(
                  await admits(url, tenant, action, orderId),
                  tenant === owner,
                  `${tenant} ${action}`,
                );
            }),
          );
        }),
        { numRuns: 8, includeErrorInReport: true },
      );
      for (const tenant of tenants) {
        const own = [...owners].flatMap(([id, owner]) => (owner === tenant ? [id] : [])).sort();
        const get = async (path: string) =>
          rowsIn(await send(url, { method: 'GET', path, headers: as(tenant) }));
        const listed = await get('/orders?pageSize=100&sort=-total');
        assert.equal(listed.map(({ orderId }) => String(orderId)).sort(), own);
        const audits = await get('/audit-log?pageSize=100');
        assert.ok(audits.length > 0);
        assert.equal(
          audits.filter(({ tenantId = '' }) => tenantId !== tenant),
          [],
        );
        // Row-level security alone, as the role of the runtime.
        const text = 'SELECT id FROM svc_per_order_summary ORDER BY id';
        const seen = await connect().rows({ text, ...(tenant === '' ? {} : { tenant }) });
        assert.equal(seen.flat(), own);
      }
    } finally {
      await stop();
    }
  }));

test.run();
