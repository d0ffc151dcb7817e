import * as assert from 'uvu/assert';
import type { EventOrigin } from '../../contracts/event-origin.js';
import { isEventOf, type StoredEvent } from '../../contracts/event-store.js';
import { Command, Event, SystemEvent } from '../../contracts/message.js';
import { Permission } from '../../contracts/permission.js';
import type { Perspective } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor, StreamRead, UnitOfWork } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { guard } from '../access/guard-resource.js';
import { collect } from './collect.js';
import { fakeClock } from './fake-clock.js';
import { Account, Book, Booked, Close, Closed } from '../testing/account-decider.js';
import { given } from './given-when-then.js';
import { at, by, received } from './past-event.js';

class OrderCreated extends Event {
  declare total: string;
}
class OrderCancelled extends Event {
  declare reason: string;
  declare note?: string;
}
class RefundAsked extends Event {}
class CancelRefused extends SystemEvent {
  declare why: string;
}
class CancelOrder extends Command {
  declare orderId: Uuid;
  declare reason: string;
}

const orderId = newUuid();
const refundId = newUuid();
const notified: string[] = [];

/** Cancels an order once, requests a refund in another stream, and notifies someone. */
class CancelOrderReceptor implements Receptor<CancelOrder, { status: string; by: string | undefined }> {
  async handle({ orderId: id, reason }: CancelOrder, work: UnitOfWork) {
    const types: string[] = [];
    for await (const { messageType } of work.read(id)) types.push(messageType);
    if (types.length === 0) throw new Problem('order-not-found', { status: 404 });
    if (types.includes('OrderCancelled')) throw new Problem('order-closed', { status: 409 });
    if (reason === 'bug') throw new TypeError('broken');
    work.append(id, OrderCancelled.of({ reason }));
    work.append(refundId, new RefundAsked());
    if (reason === 'stale') work.append(refundId, new RefundAsked(), { expectedPosition: 7 });
    if (reason === 'fraud') work.emit(CancelRefused.of({ why: reason }));
    work.defer(() => {
      if (reason === 'late') throw new Problem('order-closed');
      notified.push(reason);
    });
    return { status: 'cancelled', by: work.context.scope.userId };
  }
}

const receptor = new CancelOrderReceptor();
const anOrder = [orderId, OrderCreated.of({ total: '9.90' })] as const;
const cancel = (reason = 'late') => CancelOrder.of({ orderId, reason });
const asked = new RefundAsked();

const test = suite('given, when, then');

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

test('a receptor runs on the given past', async () => {
  await given(receptor, anOrder)
    .when(cancel('mistake'))
    .then(OrderCancelled.of({ reason: 'mistake' }), asked);
});

test('an undefined member counts as absent', async () => {
  const cancelled = Object.assign(new OrderCancelled(), { reason: 'mistake', note: undefined });
  await given(receptor, anOrder).when(cancel('mistake')).then(cancelled, asked);
});

test('a missing event is a failure', async () => {
  const expected = [OrderCancelled.of({ reason: 'mistake' }), asked, asked];
  await fails(
    given(receptor, anOrder)
      .when(cancel('mistake'))
      .then(...expected),
  );
});

test('an unexpected event is a failure', async () => {
  const cancelled = OrderCancelled.of({ reason: 'mistake' });
  await fails(given(receptor, anOrder).when(cancel('mistake')).then(cancelled));
  await fails(given(receptor, anOrder).when(cancel('mistake')).thenNothing());
});

test('another order of events, another type or other data is a failure', async () => {
  const when = given(receptor, anOrder).when(cancel('mistake'));
  await fails(when.then(asked, OrderCancelled.of({ reason: 'mistake' })));
  await fails(when.then(Object.assign(new RefundAsked(), { reason: 'mistake' }), asked));
  await fails(when.then(OrderCancelled.of({ reason: 'regret' }), asked));
});

test('streams are compared where they are given', async () => {
  const when = given(receptor, anOrder).when(cancel('mistake'));
  const cancelled = OrderCancelled.of({ reason: 'mistake' });
  await when.then([orderId, cancelled], [refundId, asked]);
  await when.then([orderId, cancelled], asked);
  await fails(when.then([refundId, cancelled], asked));
});

test('the past may be in several streams, with several events each', () =>
  given(receptor, [newUuid(), new RefundAsked()], [...anOrder, OrderCancelled.of({ reason: 'first' })])
    .when(cancel())
    .thenRefuses('order-closed'));

test('a command may be expected to add nothing', async () => {
  await given({ handle: () => undefined }, anOrder)
    .when(cancel())
    .thenNothing();
});

test('a command may be expected to fail with a problem', async () => {
  await given(receptor).when(cancel()).thenRefuses('order-not-found');
  await fails(given(receptor).when(cancel()).thenRefuses('order-closed'));
});

test('a conflict at the commit counts as a problem too', () =>
  given(receptor, anOrder).when(cancel('stale')).thenRefuses('stream-conflict'));

test('a committed command does not satisfy thenRefuses', () =>
  fails(given(receptor, anOrder).when(cancel('mistake')).thenRefuses('order-closed')));

test('a crash is not a refusal and is rethrown unchanged', async () => {
  const crash = await given(receptor, anOrder).when(cancel('bug')).thenRefuses('unexpected').catch(errorOf);
  assert.instance(crash, TypeError);
  assert.instance(await given(receptor, anOrder).when(cancel('bug')).thenNothing().catch(errorOf), TypeError);
});

test('a result is compared as the JSON that is sent', async () => {
  const when = given(receptor, anOrder).when(cancel('mistake'));
  await when.thenReturns({ status: 'cancelled', by: undefined });
  await fails(when.thenReturns({ status: 'queued', by: undefined }));
});

test('the caller is given with the command', () =>
  given(receptor, anOrder)
    .when(cancel('mistake'), { scope: { userId: 'ann' } })
    .thenReturns({ status: 'cancelled', by: 'ann' }));

test('values that are known only afterwards can be inspected', async () => {
  const { result, events, emitted } = await given(receptor, anOrder).when(cancel('fraud')).outcome();
  assert.is(result.status, 'cancelled');
  assert.equal(
    events.map((event) => [event.streamId, event.streamPosition, event.messageType]),
    [
      [orderId, 2, 'OrderCancelled'],
      [refundId, 1, 'RefundAsked'],
    ],
  );
  assert.equal(
    emitted.map((event) => [event.messageType, event.payload]),
    [['CancelRefused', { why: 'fraud' }]],
  );
});

test('deferred tasks have run when the result is available', async () => {
  notified.length = 0;
  await given(receptor, anOrder).when(cancel('mistake')).outcome();
  assert.equal(notified, ['mistake']);
});

test('a failing deferred task is not a refusal', async () => {
  const failure = await given(receptor, anOrder)
    .when(cancel('late'))
    .thenRefuses('order-closed')
    .catch(errorOf);
  assert.ok(failure instanceof Error);
});

test('awaiting without an expectation reports what is missing', async () => {
  const forgotten: unknown = given(receptor, anOrder).when(cancel('mistake'));
  const problem = await Promise.resolve(forgotten).catch(errorOf);
  assert.ok(problem instanceof Problem);
  assert.match(problem.message, 'State what you expect');
});

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

const errorOf = (error: unknown): unknown => error;

async function fails(attempt: Promise<unknown>): Promise<void> {
  const error = await attempt.catch(errorOf);
  assert.ok(error instanceof Error && error.name === 'AssertionError', `ended with ${String(error)}`);
}
