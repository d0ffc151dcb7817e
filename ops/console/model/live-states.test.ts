import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { eventLabel } from './event-label.js';
import { liveStates, type MachineFacts, withoutState } from './live-states.js';

const test = suite('live states of machines');

const fulfilment = (states: Readonly<Record<string, number>>) => ({
  name: 'order-fulfilment process',
  state: 'running 8',
  followers: { of: 'order-fulfilment', states },
});

const facts: MachineFacts = {
  lifecycle: [
    { state: 'dispatching', inFlight: 2, count: 9, p50Ms: 1, p99Ms: 2 },
    { state: 'before', inFlight: 0, count: 9, p50Ms: 1, p99Ms: 2 },
  ],
  perspectives: [
    { name: 'breads', state: 'live' },
    { name: 'sales', state: 'rebuilding', rebuild: { step: 'verifying' } },
  ],
  actors: [
    { name: 'http', state: 'running', restarts: 0 },
    { name: 'outbox-relay', state: 'running', restarts: 0, ownState: 'resting' },
    { name: 'subscriber', state: 'running', restarts: 0, ownState: 'running' },
    { name: 'health', state: 'running', restarts: 0, ownState: 'watching' },
    {
      name: 'perspectives',
      state: 'running',
      restarts: 0,
      children: [{ name: 'breads perspective', state: 'live', restarts: 1 }],
    },
    {
      name: 'reactions',
      state: 'running',
      restarts: 0,
      children: [fulfilment({ failed: 1, running: 4, withoutLease: 3 })],
    },
    {
      name: 'dispatcher',
      state: 'crashed',
      restarts: 3,
      children: [{ name: 'Bake handler', state: 'idle' }],
    },
  ],
};

const shown = (machine: string) => Object.fromEntries(liveStates(machine, facts));

test('each machine shows who is in which state', () => {
  assert.equal(shown('lifecycle'), { dispatching: ['2 requests'] });
  assert.equal(shown('health-board'), { watching: ['the health board'] });
  assert.equal(shown('supervisor'), { supervising: ['the supervisor'] });
  assert.equal(shown('follower'), {
    waiting: ['breads'],
    rebuilding: ['sales'],
    resting: ['the relay'],
    running: ['order-fulfilment (4)', 'the subscriber'],
    failed: ['order-fulfilment (1)'],
    withoutLease: ['order-fulfilment (3)'],
  });
  assert.equal(shown('perspective-rebuild'), { verifying: ['sales'] });
  assert.equal(shown('supervised-child'), {
    running: [
      'http',
      'outbox-relay',
      'subscriber',
      'health',
      'perspectives',
      'breads perspective',
      'reactions',
    ],
    crashed: ['dispatcher'],
  });
});

test('with several hosts, each machine shows which host is in which state', () => {
  const hostOf = (name: string, relay: string) => ({
    name,
    state: 'running',
    children: [
      { name: 'outbox-relay', state: 'running', restarts: 0, ownState: relay },
      { name: 'reactions', state: 'running', restarts: 0, children: [fulfilment({ running: 4 })] },
    ],
  });
  const actors = [
    hostOf('north-1', 'resting'),
    hostOf('north-2', 'withoutLease'),
    { name: 'north-3', state: 'unreachable' },
  ];
  const live = (machine: string) =>
    Object.fromEntries(liveStates(machine, { ...facts, perspectives: [], actors }));
  assert.equal(live('follower'), {
    running: ['order-fulfilment (4) on north-1', 'order-fulfilment (4) on north-2'],
    resting: ['north-1'],
    withoutLease: ['north-2'],
  });
  assert.equal(live('supervisor'), { supervising: ['north-1', 'north-2'] });
});

test('a machine that does not run has no live state, and says so', () => {
  const idle: MachineFacts = { lifecycle: [], perspectives: [{ name: 'breads', state: 'live' }], actors: [] };
  for (const machine of ['health-board', 'supervisor', 'perspective-rebuild', 'constructor']) {
    assert.equal([...liveStates(machine, idle)], []);
    assert.is(withoutState(machine, idle), 'not running');
  }
});

test('a rebuild in another process has no known step', () => {
  const elsewhere = { ...facts, perspectives: [{ name: 'sales', state: 'rebuilding', rebuild: {} }] };
  assert.equal([...liveStates('perspective-rebuild', elsewhere)], []);
  assert.is(withoutState('perspective-rebuild', elsewhere), 'running in another process: sales');
});

test("XState's own events have short labels", () => {
  assert.is(eventLabel('xstate.done.actor.0.follower.running'), 'done');
  assert.is(eventLabel('xstate.after.100.a'), 'after 100 ms');
  assert.is(eventLabel('xstate.after.paymentTimeout.order.awaitingPayment'), 'after paymentTimeout');
  assert.is(eventLabel('wake'), 'wake');
});
