import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { supervisedChildMachine } from './supervised-child-machine.js';

const test = suite('supervised child');

const nodes = Object.values(supervisedChildMachine.states);

test('its states are the ones that an operator wants to see', () => {
  assert.equal(Object.keys(supervisedChildMachine.states), [
    'starting',
    'running',
    'clearing',
    'crashed',
    'stopping',
    'stopped',
    'failed',
  ]);
});

test('every invoked actor has an onError, so that none can crash the process', () => {
  const invoked = nodes.flatMap((node) => node.invoke);
  assert.is(invoked.length, 3);
  for (const { src, onError } of invoked) assert.ok(onError, `${JSON.stringify(src)} has no onError`);
});
