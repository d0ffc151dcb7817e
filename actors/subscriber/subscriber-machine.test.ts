import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { subscriberDefaults, subscriberMachine } from './subscriber-machine.js';

const test = suite('subscriber machine');

const nodes = [subscriberMachine.root, ...Object.values(subscriberMachine.states)];

test('its states are those that an operator wants to see', () => {
  assert.equal(Object.keys(subscriberMachine.states), [
    'probing',
    'outOfReach',
    'receiving',
    'steppingDown',
    'withoutLease',
    'backingOff',
    'releasing',
    'stopped',
  ]);
});

test('no actor it invokes can take the process down: each has its onError', () => {
  const invoked = nodes.flatMap((node) => node.invoke);
  assert.ok(invoked.length > 0);
  for (const { src, onError } of invoked) assert.ok(onError, `${JSON.stringify(src)} has no onError`);
});

test('it waits by plain timers only', () => {
  for (const node of nodes) assert.equal(node.after, []);
});

test('a lease is taken over within 5 s', () => {
  assert.ok(subscriberDefaults.leaseMs < 5_000);
});

test.run();
