import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventLabel, liveStates, type MachineFacts } from './live-states.js';

const test = suite('live states of machines');

const facts: MachineFacts = {
  lifecycle: [
    { state: 'dispatching', inFlight: 2, count: 9, p50Ms: 1, p99Ms: 2 },
    { state: 'before', inFlight: 0, count: 9, p50Ms: 1, p99Ms: 2 },
  ],
  relay: 'idle, withoutLease',
  perspectives: [
    { name: 'breads', state: 'live' },
    { name: 'sales', state: 'rebuilding', rebuild: { done: 1, total: 2 } },
  ],
  actors: [
    { name: 'http', state: 'running', restarts: 0 },
    {
      name: 'perspectives',
      state: 'running',
      restarts: 0,
      children: [{ name: 'breads perspective', state: 'live', restarts: 1 }],
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
  assert.equal(shown('outbox-relay'), { idle: ['the relay'], withoutLease: ['the relay'] });
  assert.equal(shown('perspective-runner'), { live: ['breads'], rebuilding: ['sales'] });
  assert.equal(shown('perspective-rebuild'), { replaying: ['sales'] });
  assert.equal(shown('supervised-child'), {
    running: ['http', 'perspectives', 'breads perspective'],
    crashed: ['dispatcher'],
  });
});

test('a machine of which nothing is reported has no live state', () => {
  assert.equal(shown('health-board'), {});
  assert.equal(shown('constructor'), {});
  assert.equal([...liveStates('outbox-relay', { ...facts, relay: undefined })], []);
});

test("XState's own events have short labels", () => {
  assert.is(eventLabel('xstate.done.actor.0.outbox-relay.relaying'), 'done');
  assert.is(eventLabel('xstate.after.100.a'), 'after');
  assert.is(eventLabel('wake'), 'wake');
});

test.run();
