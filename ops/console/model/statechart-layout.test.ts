import * as assert from 'uvu/assert';
import { createMachine } from 'xstate';
import { fulfilment } from '../../../actors/testing/order-fulfilment.js';
import { suite } from '../../../contracts/testing/suite.js';
import { lifecycleMachine } from '../../../endpoints/lifecycle/lifecycle-machine.js';
import { pathOf } from './edge-curve.js';
import { type Layout, layoutOf, type PlacedState, type Sizes } from './statechart-layout.js';
import { chartOf, type StateDefinition } from './statechart.js';

const test = suite('layout of a statechart');

const sizes: Sizes = {
  state: () => ({ width: 140, height: 60 }),
  label: () => ({ width: 60, height: 24 }),
  weight: () => 1,
};

const laidOut = (machine: { readonly definition: unknown }): Layout =>
  layoutOf(chartOf(JSON.parse(JSON.stringify(machine.definition)) as StateDefinition), sizes);

const positionOf = ({ states }: Layout, key: string): PlacedState => {
  const found = states.find(({ state }) => state.key === key);
  if (found === undefined) throw new Error(`${key} has no position`);
  return found;
};

const contains = (outer: PlacedState, inner: PlacedState): boolean =>
  Math.abs(outer.x - inner.x) + inner.width / 2 <= outer.width / 2 + 0.01 &&
  Math.abs(outer.y - inner.y) + inner.height / 2 <= outer.height / 2 + 0.01;

const apart = (one: PlacedState, other: PlacedState): boolean =>
  Math.abs(one.x - other.x) >= (one.width + other.width) / 2 ||
  Math.abs(one.y - other.y) >= (one.height + other.height) / 2;

/** Transitions leave a compound state, enter it, and pass between its children. */
const shop = createMachine({
  id: 'shop',
  initial: 'closed',
  states: {
    closed: { on: { open: 'opened' } },
    opened: {
      initial: 'waiting',
      on: { close: 'closed' },
      states: {
        waiting: { on: { customer: 'serving' } },
        serving: { on: { done: 'waiting', fire: '#shop.burnt', again: 'serving' } },
      },
    },
    burnt: { type: 'final' },
  },
});

test('the chart of a process has its states, the events that move it, its refusals and its timeouts', () => {
  const chart = chartOf(JSON.parse(JSON.stringify(fulfilment.definition)) as StateDefinition);
  assert.equal(
    chart.states.map(({ key, initial, final }) => [key, initial ? 'initial' : final ? 'final' : '']),
    [
      ['reserving', 'initial'],
      ['awaitingPayment', ''],
      ['releasing', ''],
      ['cancelling', ''],
      ['paid', 'final'],
      ['cancelled', 'final'],
    ],
  );
  const key = (id: string) => id.slice(id.lastIndexOf('.') + 1);
  assert.equal(
    chart.edges.map(({ from, event, to }) => `${key(from)} ${event} ${key(to)}`),
    [
      'reserving StockReserved awaitingPayment',
      'reserving ReserveStock.refused cancelling',
      'awaitingPayment PaymentReceived paid',
      'awaitingPayment OrderCancelled releasing',
      'awaitingPayment xstate.after.paymentTimeout.order-fulfilment.awaitingPayment releasing',
      'releasing StockReleased cancelling',
      'cancelling OrderCancelled cancelled',
      'cancelling CancelOrder.refused cancelled',
    ],
  );
  const { states, edges } = laidOut(fulfilment);
  assert.equal([states.length, edges.length], [6, 8]);
  for (const [index, one] of states.entries())
    for (const other of states.slice(index + 1)) assert.ok(apart(one, other));
});

test('every state and edge of the lifecycle has a position, and no two states overlap', () => {
  const layout = laidOut(lifecycleMachine);
  assert.is(layout.states.length, 10);
  assert.is(layout.edges.length, 18);
  for (const [index, one] of layout.states.entries()) {
    for (const other of layout.states.slice(index + 1)) assert.ok(apart(one, other));
    assert.ok(one.x + one.width / 2 <= layout.width && one.y + one.height / 2 <= layout.height);
  }
});

test('a request moves from left to right', () => {
  const layout = laidOut(lifecycleMachine);
  const path = ['checking', 'mapping', 'before', 'dispatching', 'after', 'completed'];
  const positions = path.map((state) => positionOf(layout, state).x);
  assert.equal(
    positions,
    positions.toSorted((one, other) => one - other),
  );
});

test('a compound state contains its children, whatever leaves it', () => {
  const layout = laidOut(shop);
  const opened = positionOf(layout, 'opened');
  const children = ['waiting', 'serving'].map((key) => positionOf(layout, key));
  for (const child of children) assert.ok(contains(opened, child), child.state.key);
  for (const key of ['closed', 'burnt']) assert.ok(apart(opened, positionOf(layout, key)), key);
  assert.is(layout.edges.length, 6);
});

test('an edge out of a compound state starts at the state it leaves', () => {
  const layout = laidOut(shop);
  const serving = positionOf(layout, 'serving');
  const [start] = layout.edges.find(({ edge }) => edge.event === 'fire')?.points ?? [];
  assert.ok(start !== undefined);
  assert.ok(Math.abs(start.x - serving.x) <= serving.width / 2 + 0.01);
  assert.ok(Math.abs(start.y - serving.y) <= serving.height / 2 + 0.01);
});

test('a transition to the same state is a loop below it', () => {
  const layout = laidOut(shop);
  const serving = positionOf(layout, 'serving');
  const { points = [], label } = layout.edges.find(({ edge }) => edge.event === 'again') ?? {};
  const bottom = serving.y + serving.height / 2;
  assert.equal([points[0]?.y, points.at(-1)?.y], [bottom, bottom]);
  assert.ok(points.every(({ x }) => Math.abs(x - serving.x) < serving.width / 2));
  assert.ok(points.slice(1, -1).every(({ y }) => y === label?.y && y > bottom && y < layout.height));
});

test('a path starts and ends at the outermost points', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 20 },
    { x: 30, y: 20 },
  ];
  assert.match(pathOf(points), /^M0 0 C.* 30 20$/);
  assert.match(pathOf(points.toReversed()), /^M30 20 Q.* 0 0$/);
  assert.is(pathOf(points.slice(0, 1)), '');
});
