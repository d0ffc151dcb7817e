import * as assert from 'uvu/assert';
import { Event } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../../runtime/kit/collect.js';
import { until } from '../../runtime/kit/until.js';
import { BlockingCode } from '../steps/blocking-code.js';
import { fulfilmentService, type Refusals } from '../testing/fulfilment-service.js';
import { OrderCreated, OrderFulfilment, PaymentReceived } from '../testing/order-fulfilment.js';
import { processSetup, shape } from './process-setup.js';
import { processWork } from './process-work.js';

const test = suite('processes over a store');

type Scene = ReturnType<typeof fulfilmentService>;

const minute = 60_000;

/** Runs the process on one host until the body ends. */
async function withProcess(refusals: Refusals, body: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = fulfilmentService(refusals);
  const running = scene.runs.map((run) => run.run());
  await until(() => scene.runs.every(({ line }) => line !== undefined));
  try {
    await body(scene);
  } finally {
    for (const run of scene.runs) run.stop();
    await Promise.all(running);
  }
}

const order = newUuid();
const created = OrderCreated.of({ orderId: order });
const paid = PaymentReceived.of({ orderId: order });

test('an order that is paid in time ends as paid, and its timer with it', () =>
  withProcess({}, async ({ happen, stateOf, timersOf, rowOf, typed }) => {
    await happen(created);
    await until(async () => (await stateOf(order)) === 'awaitingPayment');
    assert.is((await timersOf(order)).length, 1);
    await happen(paid);
    await until(async () => (await stateOf(order)) === 'paid');
    assert.equal([(await timersOf(order)).length, (await rowOf(order))?.status], [0, 'ended']);
    assert.is((await typed('ProcessStarted')).length, 1);
    assert.is((await typed('ProcessEnded')).length, 1);
    assert.is((await typed('StockReserved')).length, 1);
  }));

test('an order that is not paid in time is released and cancelled, each step audited once', () =>
  withProcess({}, async ({ clock, happen, stateOf, fireDue, typed }) => {
    await happen(created);
    await until(async () => (await stateOf(order)) === 'awaitingPayment');
    clock.advance(15 * minute - 1);
    assert.equal(await fireDue(), []);
    clock.advance(1);
    assert.equal(await fireDue(), ['fired']);
    await until(async () => (await stateOf(order)) === 'cancelled');
    for (const type of ['StockReserved', 'StockReleased', 'OrderCancelled'])
      assert.is((await typed(type)).length, 1, type);
    const commands = (await typed('CommandAudited')).map(
      ({ payload }) => (payload as { commandType: string }).commandType,
    );
    assert.equal(commands, ['Happen', 'ReserveStock', 'ReleaseStock', 'CancelOrder']);
  }));

test('the trail and the duration go by the clock of the store, not by that of the host', () =>
  withProcess({}, async ({ clock, happen, stateOf, fireDue, rowOf, typed }) => {
    await happen(created);
    await until(async () => (await stateOf(order)) === 'awaitingPayment');
    clock.advance(16 * minute);
    await fireDue();
    await until(async () => (await stateOf(order)) === 'cancelled');
    const trail = (await rowOf(order))?.trail as unknown as readonly { readonly at: string }[];
    assert.equal(
      trail.map(({ at }) => at.slice(0, 16)),
      ['2026-01-01T00:00', '2026-01-01T00:00', ...Array<string>(3).fill('2026-01-01T00:16')],
    );
    const [ended] = await typed('ProcessEnded');
    const { duration } = (ended?.payload ?? {}) as { readonly duration?: string };
    assert.is(duration, 'PT960S');
  }));

test('a process waits for the events of its older machines as well', () => {
  class OrderArchived extends Event {}
  const parts = processSetup({
    events: { OrderCreated, OrderArchived },
    commands: {},
    context: shape<object>(),
  });
  const older = { 1: parts.createMachine({ context: {} }) };
  const process = Object.assign(new OrderFulfilment(), { older });
  const { store } = fulfilmentService();
  const ports = {
    store,
    reactions: store.reactions,
    recordOf: () => undefined,
    isSensitive: () => false,
    code: new BlockingCode(),
  };
  assert.equal(
    processWork(process, ports).events.map(({ name }) => name),
    ['OrderCreated', 'OrderArchived', 'StockReserved', 'PaymentReceived', 'StockReleased', 'OrderCancelled'],
  );
});

test('a refused command is compensated in the same commit', () =>
  withProcess({ ReserveStock: 'out-of-stock' }, async ({ happen, rowOf, store, typed }) => {
    await happen(created);
    await until(async () => (await rowOf(order))?.status === 'ended');
    const trail = (await rowOf(order))?.trail as readonly { readonly event: string; readonly to: string }[];
    assert.equal(
      trail.map(({ event, to }) => `${event} ${to}`),
      ['OrderCreated reserving', 'ReserveStock.refused cancelling', 'OrderCancelled cancelled'],
    );
    const [cancelled] = await typed('OrderCancelled');
    const [event] = await typed('OrderCreated');
    assert.is(cancelled?.causationId === undefined, false);
    assert.is(cancelled?.correlationId, event?.correlationId);
    assert.is((await collect(store.read(order))).length, 2);
  }));

test('payment against time-out: exactly one wins, for every order', () =>
  withProcess({}, async ({ clock, happen, stateOf, fireDue, timersOf, typed }) => {
    const orders = Array.from({ length: 40 }, () => newUuid());
    await happen(...orders.map((orderId) => OrderCreated.of({ orderId })));
    for (const one of orders) await until(async () => (await stateOf(one)) === 'awaitingPayment');
    clock.advance(15 * minute);
    await Promise.all([happen(...orders.map((orderId) => PaymentReceived.of({ orderId }))), fireDue()]);
    for (const one of orders)
      await until(async () => ['paid', 'cancelled'].includes((await stateOf(one)) ?? ''));
    for (const one of orders) assert.is((await timersOf(one)).length, 0);
    const states = await Promise.all(orders.map(stateOf));
    const cancelled = states.filter((state) => state === 'cancelled').length;
    assert.is((await typed('OrderCancelled')).length, cancelled);
    assert.is((await typed('StockReleased')).length, cancelled);
    assert.is((await typed('ProcessEnded')).length, orders.length);
  }));

test('a process that cannot go on is parked and named, and others go on', () =>
  withProcess(
    { ReleaseStock: 'warehouse-closed' },
    async ({ clock, happen, stateOf, rowOf, fireDue, typed }) => {
      await happen(created);
      await until(async () => (await stateOf(order)) === 'awaitingPayment');
      clock.advance(15 * minute);
      assert.equal(await fireDue(), ['parked']);
      const row = await rowOf(order);
      assert.equal([row?.status, row?.state], ['parked', 'awaitingPayment']);
      assert.match(row?.error ?? '', /ReleaseStock was refused \(warehouse-closed\)/);
      assert.is((await typed('ReactionFailed')).length, 1);
      const other = newUuid();
      await happen(OrderCreated.of({ orderId: other }));
      await until(async () => (await stateOf(other)) === 'awaitingPayment');
    },
  ));

test('an event for a process that has ended, or never began, is passed', () =>
  withProcess({}, async ({ happen, stateOf, figures, typed }) => {
    await happen(paid);
    await until(() => figures.counts.passed === 1);
    assert.is(await stateOf(order), undefined);
    await happen(created);
    await until(async () => (await stateOf(order)) === 'awaitingPayment');
    await happen(paid, paid, created);
    await until(() => figures.counts.passed === 3);
    assert.is((await typed('ProcessStarted')).length, 1);
  }));
