import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { outboxRelayMachine, relayDefaults } from './outbox-relay-machine.js';

const test = suite('outbox relay machine');

const nodes = [outboxRelayMachine.root, ...Object.values(outboxRelayMachine.states)];

test('its states are the ones that an operator wants to see', () => {
  assert.equal(Object.keys(outboxRelayMachine.states), [
    'relaying',
    'resting',
    'idle',
    'backingOff',
    'steppingDown',
    'outOfReach',
    'probing',
    'withoutLease',
    'releasing',
    'stopped',
  ]);
});

test('every invoked actor has an onError, so that none can crash the process', () => {
  const invoked = nodes.flatMap((node) => node.invoke);
  assert.ok(invoked.length > 0);
  for (const { src, onError } of invoked) assert.ok(onError, `${JSON.stringify(src)} has no onError`);
});

test('it waits with plain timers only', () => {
  for (const node of nodes) assert.equal(node.after, []);
});

test('it accepts stop in every state', () => {
  const ways = nodes.flatMap((node) => node.ownEvents.filter((type) => type === 'stop'));
  assert.is(ways.length, 2, 'at the root, and during a round');
});

test('every pause is short enough to keep the lease, and another host takes over within 5 s', () => {
  assert.ok(relayDefaults.pollMs <= relayDefaults.leaseMs / 2);
  assert.ok(relayDefaults.leaseMs < 5_000);
});
