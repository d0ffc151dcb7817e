import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { subscriberDefaults, subscriberMachine } from './subscriber-machine.js';

const test = suite('subscriber machine');

const nodes = [subscriberMachine.root, ...Object.values(subscriberMachine.states)];

test('its states are the ones that an operator wants to see', () => {
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

test('every invoked actor has an onError, so that none can crash the process', () => {
  const invoked = nodes.flatMap((node) => node.invoke);
  assert.ok(invoked.length > 0);
  for (const { src, onError } of invoked) assert.ok(onError, `${JSON.stringify(src)} has no onError`);
});

test('it waits with plain timers only', () => {
  for (const node of nodes) assert.equal(node.after, []);
});

test('another host takes over within 5 s', () => {
  assert.ok(subscriberDefaults.leaseMs < 5_000);
});
