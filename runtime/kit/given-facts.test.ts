import * as assert from 'uvu/assert';
import type { EventOrigin } from '../../contracts/event-origin.js';
import { isEventOf, type StoredEvent } from '../../contracts/event-store.js';
import { Permission } from '../../contracts/permission.js';
import type { Perspective } from '../../contracts/perspective.js';
import type { Receptor, StreamRead, UnitOfWork } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { guard } from '../access/guard-resource.js';
import { collect } from './collect.js';
import { fakeClock } from './fake-clock.js';
import { Account, Book, Booked, Close, Closed } from '../testing/account-decider.js';
import { given } from './given-when-then.js';
import { at, by, received } from './past-event.js';
import {
  anOrder,
  cancel,
  type CancelOrder,
  OrderCancelled,
  OrderCreated,
  orderId,
  receptor,
} from '../testing/cancelled-orders.js';

const test = suite('what a test gives');

interface OrderTotal {
  readonly total: string;
}

class OrderTotals implements Perspective<OrderTotal> {
  readonly name = 'order-totals';
  readonly events = [OrderCreated, OrderCancelled];
  readonly columns = { total: { type: 'numeric', of: ({ total }: OrderTotal) => total } } as const;

  initial(): OrderTotal {
    return { total: '0' };
  }

  apply(row: OrderTotal, event: StoredEvent): OrderTotal | null {
    return isEventOf(event, OrderCreated) ? { ...row, total: event.payload.total } : null;
  }
}

/** Returns what it reads of other orders. */
const reading: Receptor<CancelOrder, readonly unknown[]> = {
  handle: async ({ orderId: id }, work) => [
    await work.model(OrderTotals, id),
    ...(await work.models(OrderTotals, { filter: { total: { gte: 5 } }, sort: ['-total'], limit: 2 })),
  ],
};

test('a receptor reads the rows that a perspective makes of the past, and those that the test sets', async () => {
  const cancelled = [
    newUuid(),
    OrderCreated.of({ total: '70' }),
    OrderCancelled.of({ reason: 'x' }),
  ] as const;
  const others = ['4', '10', '9.5', '6'].map((total) => [newUuid(), OrderCreated.of({ total })] as const);
  const past = given(reading, anOrder, cancelled, ...others);
  await past
    .withPerspective(new OrderTotals())
    .when(cancel())
    .thenReturns([{ total: '9.90' }, { total: '10' }, { total: '9.90' }]);
  await past
    .withPerspective(new OrderTotals(), [orderId, { total: '8' }], ['x', { total: '100' }])
    .when(cancel())
    .thenReturns([{ total: '8' }, { total: '100' }, { total: '10' }]);
  await past.when(cancel()).thenRefuses('invalid-setup');
});

test('a past event has the tenant and the user that the test gives it', async () => {
  const owners: Receptor<CancelOrder, unknown> = {
    handle: async ({ orderId: id }, work) => {
      const found: unknown[] = [];
      for await (const { scope } of work.read(id, { origin: 'all' }))
        found.push([scope?.tenantId, scope?.userId]);
      return found;
    },
  };
  const scope = { tenantId: 'acme', userId: 'ann' };
  const [id, created] = anOrder;
  await given(owners, [id, by(scope, created), created, received(by({ tenantId: 'other' }, created))])
    .when(cancel(), { scope: { tenantId: 'acme' } })
    .thenReturns([
      ['acme', 'ann'],
      [null, null],
      ['other', null],
    ]);
});

test('a row belongs to the tenant whose event made it, and no other tenant changes or reads it', async () => {
  const [id, created] = anOrder;
  const more = OrderCreated.of({ total: '1000' });
  const past = given(reading, [id, by({ tenantId: 'acme' }, created), by({ tenantId: 'other' }, more)]);
  const rows = past.withPerspective(new OrderTotals());
  const as = (tenantId: string) => rows.when(cancel(), { scope: { tenantId } });
  await as('acme').thenReturns([{ total: '9.90' }, { total: '9.90' }]);
  await as('other').thenReturns([null]);
  await rows.when(cancel()).thenReturns([null]);
});

test('what would park a row on a host fails in the test', async () => {
  for (const over of [
    { apply: () => undefined },
    { late: 'apply', key: () => ['left', 'left'] },
    { columns: { total: 'integer' }, apply: () => ({ total: 'many' }) },
  ]) {
    const perspective = Object.assign(new OrderTotals(), over) as OrderTotals;
    await given(reading, anOrder).withPerspective(perspective).when(cancel()).thenRefuses('invalid-model');
  }
  const apply = (_: unknown, { payload }: StoredEvent<OrderCreated>) =>
    Object.assign(payload, { total: '1' });
  const changing = given(reading, anOrder).withPerspective(Object.assign(new OrderTotals(), { apply }));
  const failure: unknown = await changing
    .when(cancel())
    .thenNothing()
    .catch((error: unknown) => error);
  assert.match(String(failure), /TypeError.*read only property/);
});

test('a receptor reads the rows of a perspective whose events have several keys', async () => {
  class Halves {
    readonly name = 'halves';
    readonly events = [OrderCreated];
    readonly late = 'apply';
    key = () => ['left', 'right'];
    apply = (row: { from: string } | undefined, _: StoredEvent, key: string) => ({
      from: `${row?.from ?? ''}${key} `,
    });
  }
  const asks: Receptor<CancelOrder, unknown> = {
    handle: (_, work) => Promise.all([work.model(Halves, 'left'), work.model(Halves, 'right')]),
  };
  const others = [newUuid(), OrderCreated.of({ total: '1' })] as const;
  await given(asks, anOrder, others)
    .withPerspective(new Halves())
    .when(cancel())
    .thenReturns([{ from: 'left left ' }, { from: 'right right ' }]);
});

test('a receptor reads events of another store only when it asks for them, and a perspective takes those that it declares', async () => {
  const far = received(OrderCreated.of({ total: '70' }), '2026-01-31T12:00:00Z');
  const receptorOf = (options: StreamRead): Receptor<CancelOrder, unknown> => ({
    handle: async (command, work) => {
      const events = await collect(work.read(command.orderId, options));
      return [events.length, await work.model(OrderTotals, command.orderId)];
    },
  });
  const perspective = (origin: EventOrigin) => Object.assign(new OrderTotals(), { origin });
  const past = (options: StreamRead) => given(receptorOf(options), [orderId, far]);
  await past({}).withPerspective(perspective('own')).when(cancel()).thenReturns([0, undefined]);
  await past({ origin: 'all' })
    .withPerspective(perspective('others'))
    .when(cancel())
    .thenReturns([1, { total: '70' }]);
});

test('the caller is given with the command', () =>
  given(receptor, anOrder)
    .when(cancel('mistake'), { scope: { userId: 'ann' } })
    .thenReturns({ status: 'cancelled', by: 'ann' }));

/** Reports when the events of a stream happened. */
const times: Receptor<CancelOrder, readonly string[]> = {
  async handle({ orderId: id }, work) {
    const seen: string[] = [];
    for await (const { occurredAt } of work.read(id)) seen.push(occurredAt);
    work.append(id, OrderCancelled.of({ reason: 'late' }));
    return seen;
  },
};

test('an event of the past happened when the test says, and otherwise now', async () => {
  const clock = fakeClock('2026-02-01T00:00:00Z');
  const created = OrderCreated.of({ total: '9.90' });
  const noon = '2026-01-31T12:00:00Z';
  const when = given(times, [orderId, at(noon, created), created])
    .withClock(clock)
    .when(cancel());
  const { result, events } = await when.outcome();
  assert.equal(result, ['2026-01-31T12:00:00.000Z', '2026-02-01T00:00:00.000Z']);
  assert.is(events[0]?.recordedAt, '2026-02-01T00:00:00.000Z');
  clock.advance(60_000);
  assert.is((await when.outcome()).events[0]?.recordedAt, '2026-02-01T00:01:00.000Z');
});

test('a guard in a receptor decides by the identity that the test gives', async () => {
  const guarded: Receptor<CancelOrder, string | undefined> = {
    handle: ({ orderId: id }, { context }) => {
      guard(context, Permission.write('orders'), { type: 'Order', id, scope: { customerId: 'acme' } });
      return context.scope.userId;
    },
  };
  const permissions = ['orders:write'];
  const as = (customerId: string) => ({ identity: { permissions, scope: { userId: 'ann', customerId } } });
  await given(guarded).when(cancel(), as('acme')).thenReturns('ann');
  await given(guarded).when(cancel(), as('other')).thenRefuses('access-denied');
  await given(guarded).when(cancel(), { identity: {} }).thenRefuses('access-denied');
  await given(guarded).when(cancel()).thenReturns(undefined);
});

class WrapReceptor implements Receptor<CancelOrder, boolean> {
  handle(_command: CancelOrder, work: UnitOfWork): boolean {
    assert.is(work.context.flags.isOn('gift-wrap'), work.flags.isOn('gift-wrap'));
    return work.flags.isOn('gift-wrap');
  }
}

test('flags are off unless the test sets them, for everyone or for some callers', async () => {
  const wrap = given(new WrapReceptor());
  const acme = { scope: { tenantId: 'acme' } };
  await wrap.when(cancel()).thenReturns(false);
  await wrap.withFlags({ 'gift-wrap': true }).when(cancel()).thenReturns(true);
  await wrap.withFlags({ 'fast-lane': true }).when(cancel()).thenReturns(false);
  const forAcme = wrap.withFlags({ 'gift-wrap': { tenants: { acme: true } } });
  await forAcme.when(cancel()).thenReturns(false);
  await forAcme.when(cancel(), acme).thenReturns(true);
  await forAcme.withFlags({ 'gift-wrap': false }).when(cancel(), acme).thenReturns(false);
});

test('a decider is tested like a receptor', async () => {
  const accountId = newUuid();
  const booked = (amount: number) => Booked.of({ amount });
  const account = given(new Account(), [accountId, booked(10), booked(-4)]);
  await account.when(Book.of({ accountId, amount: -6 })).then([accountId, booked(-6)]);
  await account.when(Book.of({ accountId, amount: -6 })).thenReturns(0);
  await account.when(Book.of({ accountId, amount: -7 })).thenRefuses('overdrawn');
  await account.when(Close.of({ accountId })).thenRefuses('not-empty');
  await given(new Account(), [accountId, Closed.of({})])
    .when(Close.of({ accountId }))
    .thenNothing();
});
