import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { jsonOf, post, send } from '../../endpoints/testing/http-client.js';
import { ForeignStore, inbound } from '../../runtime/testing/foreign-events.js';
import { RawNats } from '../../runtime/testing/raw-nats.js';
import { anOrder, orderIdIn } from './order-load.js';
import { as, type Tenant, type TenantHost, tenants } from './tenant-hosts.js';
import {
  admits,
  listed,
  listedUnfiltered,
  mustBeRefused,
  operatorRequests,
  type OrdersQuery,
  rebuild,
  type Row,
} from './tenant-requests.js';

const actions = [
  ...(['create', 'cancel', 'ship', 'archive', 'read', 'list'] as const),
  ...(['list without filter', 'publish', 'BlueGreen', 'InPlace', 'console'] as const),
] as const;

const statuses = ['created', 'shipped', 'cancelled', 'archived'] as const;

const anyQuery: fc.Arbitrary<OrdersQuery> = fc.record({
  statuses: fc.subarray([...statuses]),
  sort: fc.uniqueArray(fc.constantFrom('total', '-status', 'status', '-customerId'), { maxLength: 3 }),
  pageSize: fc.constantFrom(1, 3, 10, 100),
  page: fc.integer({ min: 1, max: 3 }),
});

const anyStep = fc.record({
  at: fc.nat(1),
  tenant: fc.constantFrom(...tenants),
  action: fc.constantFrom(...actions),
  target: fc.nat(20),
  query: anyQuery,
});
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

/** Steps that run at the same time. */
export const anySteps = fc.array(anyStep, { minLength: 6, maxLength: 16 });

/** Every action at both hosts, for each tenant. */
export const everyStep: readonly Step[] = actions.flatMap((action, target) =>
  tenants.flatMap((tenant) =>
    [0, 1].map((at) => ({
      at,
      tenant,
      action,
      target,
      query: { statuses: ['created'], sort: ['-status'], pageSize: 3, page: 1 },
    })),
  ),
);

interface Order {
  readonly owner: Tenant;
  /** The host that created it. */
  readonly home: TenantHost;
  /** A time after its creation. */
  readonly since: string;
}

/** What tenants did at two hosts; every step checks that it concerns no other tenant. */
export class TenantSteps {
  readonly orders = new Map<string, Order>();
  readonly #created = { north: 0, south: 0, '': 0 };
  readonly #foreign = new ForeignStore();

  private constructor(
    private readonly hosts: readonly TenantHost[],
    private readonly broker: RawNats,
  ) {}

  static async over(hosts: readonly TenantHost[], broker: string): Promise<TenantSteps> {
    const steps = new TenantSteps(hosts, await RawNats.connect(broker));
    for (const host of hosts) for (const tenant of tenants) await steps.#create(host, tenant);
    for (const [orderId, order] of steps.orders) {
      await admits(order.home, order.owner, 'ship', orderId);
      for (const tenant of tenants) await steps.#publish(tenant, orderId, order);
    }
    return steps;
  }

  close(): void {
    this.broker.close();
  }

  async run({ at, tenant, action, target, query }: Step): Promise<void> {
    const host = this.hosts[at] ?? assert.fail();
    const known = [...this.orders];
    const [orderId, order] = known[target % known.length] ?? assert.fail();
    const isOwn = order.owner === tenant;
    switch (action) {
      case 'create':
        return this.#create(host, tenant);
      case 'cancel':
      case 'ship':
      case 'archive':
        return assert.equal(
          await admits(host, tenant, action, orderId),
          isOwn && order.home === host,
          `${tenant} ${action}`,
        );
      case 'read':
        return this.#read(host, tenant, orderId);
      case 'list':
        return this.mustOwn(tenant, await listed(host, tenant, query));
      case 'list without filter':
        return this.mustOwn(tenant, await listedUnfiltered(host, tenant, query));
      case 'publish':
        return this.#publish(tenant, orderId, order);
      case 'console':
        return mustBeRefused(
          host,
          tenant,
          operatorRequests[target % operatorRequests.length] ?? assert.fail(),
        );
      case 'BlueGreen':
      case 'InPlace':
        return rebuild(host, action);
    }
  }

  mustOwn(tenant: Tenant, rows: readonly Row[]): void {
    for (const { orderId, total } of rows) {
      const order = this.orders.get(String(orderId));
      // A row can be read before the answer to its command.
      if (order === undefined) continue;
      assert.equal(order.owner, tenant, 'a row of another tenant');
      assert.equal(total, '6.20', 'changed by another tenant');
    }
  }

  async #create(host: TenantHost, tenant: Tenant): Promise<void> {
    // All tenants use the same keys.
    const key = `order-${this.#created[tenant]++}`;
    const headers = { ...as(tenant), prefer: 'wait=10', 'idempotency-key': key };
    const answer = await post(host.url, anOrder, { path: '/orders', headers });
    assert.equal(answer.status, 200, answer.text);
    this.orders.set(orderIdIn(answer), { owner: tenant, home: host, since: new Date().toISOString() });
  }

  async #read(host: TenantHost, tenant: Tenant, orderId: string): Promise<void> {
    const order = this.orders.get(orderId);
    const path = `/orders/${orderId}`;
    const answer = await send(host.url, { method: 'GET', path, headers: as(tenant) });
    if (answer.status === 200) return this.mustOwn(tenant, [jsonOf(answer) as Row]);
    assert.equal(answer.status, 404, answer.text);
    // A model that is refilled in place has no rows for a while.
    if (order?.owner === tenant && order.home === host)
      assert.equal(answer.headers['svc-model'], 'rebuilding', `${tenant} read`);
  }

  /** A third store reports what happened to an order right after its creation: hosts that know later events rewind it. */
  async #publish(tenant: Tenant, orderId: string, { owner, since }: Order): Promise<void> {
    // Events without a tenant change rows of any tenant.
    const isOwn = tenant === owner || tenant === '';
    const { subject, body } = inbound(
      this.#foreign.event(orderId, {
        ...(isOwn
          ? { messageType: 'OrderShipped', payload: { orderId, carrier: 'late' } }
          : { messageType: 'OrderCreated', payload: { ...anOrder, orderId, total: '666.00' } }),
        occurredAt: since,
        ...(tenant === '' ? {} : { scope: { tenantId: tenant } }),
      }),
    );
    this.broker.publish(subject, body);
    await this.broker.flush();
  }
}
