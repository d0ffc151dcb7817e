import * as assert from 'uvu/assert';
import { type AnyStateMachine, createMachine } from 'xstate';
import { fulfilment } from '../../../actors/testing/order-fulfilment.js';
import { suite } from '../../../contracts/testing/suite.js';
import { definitionOf } from './machine-definition.js';
import { countsByEdge, countsByState, edgesOfStep, processChartOf, statesIn } from './process-chart.js';
import type { StateDefinition } from './statechart.js';

const test = suite('chart of a process');

/** As the page receives it. */
const chartFrom = (machine: AnyStateMachine) =>
  processChartOf(JSON.parse(JSON.stringify(definitionOf(machine))) as StateDefinition);

const orders = chartFrom(fulfilment);

const step = (event: string, from: string | null, to: string) => ({ event, from, to });

test('a step is on the edge of its event between its states', () => {
  assert.equal(edgesOfStep(orders, step('StockReserved', 'reserving', 'awaitingPayment')), [
    'order-fulfilment.reserving StockReserved order-fulfilment.awaitingPayment',
  ]);
  const timeout = 'xstate.after.paymentTimeout.order-fulfilment.awaitingPayment';
  assert.equal(edgesOfStep(orders, step(timeout, 'awaitingPayment', 'releasing')), [
    `order-fulfilment.awaitingPayment ${timeout} order-fulfilment.releasing`,
  ]);
});

test('steps are added up by edge; those of another version are on none, and the first step needs none', () => {
  const { edges, others } = countsByEdge(orders, [
    { ...step('OrderCreated', null, 'reserving'), count: 7 },
    { ...step('StockReserved', 'reserving', 'awaitingPayment'), count: 5 },
    { ...step('StockBooked', 'booking', 'awaitingPayment'), count: 2 },
  ]);
  assert.equal([...edges.values()], [5]);
  assert.is(others, 2);
});

const nested = chartFrom(
  createMachine({
    id: 'parcel',
    initial: 'open',
    on: { Lost: '.lost' },
    states: {
      open: {
        initial: 'packing',
        on: { Stopped: 'stopped', Moved: 'stopped' },
        states: {
          packing: { on: { Packed: 'checking', Moved: 'waiting' } },
          checking: { always: [{ guard: 'isHeavy', target: 'waiting' }, { target: '#parcel.sent' }] },
          waiting: { on: { '*': 'packing' } },
        },
      },
      sent: { on: { Lost: 'sent' } },
      stopped: { type: 'final' },
      lost: { type: 'final' },
    },
  }),
);

test('what is in an inner state is in its outer states too', () => {
  assert.equal(statesIn(nested, 'open.packing'), ['parcel.open', 'parcel.open.packing']);
  const counts = countsByState(nested, [
    { state: 'open.packing', count: 2 },
    { state: 'open.waiting', count: 3 },
    { state: 'gone', count: 9 },
  ]);
  assert.equal(
    [counts.get('parcel.open'), counts.get('parcel.open.packing'), counts.get('parcel.sent')],
    [5, 2, undefined],
  );
});

test('what a step did without an event is part of its way', () => {
  assert.equal(edgesOfStep(nested, step('Packed', 'open.packing', 'sent')), [
    'parcel.open.packing Packed parcel.open.checking',
    'parcel.open.checking  parcel.sent',
  ]);
});

test('the innermost transition counts, and a named event before any event', () => {
  assert.equal(edgesOfStep(nested, step('Moved', 'open.packing', 'open.waiting')), [
    'parcel.open.packing Moved parcel.open.waiting',
  ]);
  assert.equal(edgesOfStep(nested, step('Stopped', 'open.packing', 'stopped')), [
    'parcel.open Stopped parcel.stopped',
  ]);
  assert.equal(edgesOfStep(nested, step('Rang', 'open.waiting', 'open.packing')), [
    'parcel.open.waiting * parcel.open.packing',
  ]);
});

test('a transition of the machine itself is drawn from each state that has none for its event', () => {
  const lost = nested.chart.edges.filter(({ event, to }) => event === 'Lost' && to === 'parcel.lost');
  assert.equal(
    lost.map(({ from }) => from),
    ['parcel.open'],
  );
  assert.equal(edgesOfStep(nested, step('Lost', 'open.packing', 'lost')), ['parcel.open Lost parcel.lost']);
});

test('each region of a parallel state is counted, and moves on its own', () => {
  const both = chartFrom(
    createMachine({
      id: 'order',
      type: 'parallel',
      states: {
        stock: { initial: 'open', states: { open: { on: { Reserved: 'reserved' } }, reserved: {} } },
        payment: { initial: 'due', states: { due: { on: { Paid: 'paid' } }, paid: {} } },
      },
    }),
  );
  assert.equal(statesIn(both, 'stock.reserved, payment.due'), [
    'order.stock',
    'order.stock.reserved',
    'order.payment',
    'order.payment.due',
  ]);
  assert.equal(
    edgesOfStep(both, step('Paid', 'stock.reserved, payment.due', 'stock.reserved, payment.paid')),
    ['order.payment.due Paid order.payment.paid'],
  );
});
