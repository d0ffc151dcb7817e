import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { edgeNumber, edges, stateNumber, states, workingStates } from './lifecycle-machine.js';

const test = suite('lifecycle edges');

test('states are in the order in which a request passes them', () => {
  assert.equal(workingStates, ['checking', 'mapping', 'before', 'dispatching', 'after', 'recovering']);
  assert.equal(states.slice(6), ['completed', 'recovered', 'cancelled', 'failed']);
  for (const { from, to } of edges) assert.ok(stateNumber(from) < stateNumber(to), `${from} → ${to}`);
});

test('every edge of the statechart has its own number, also when only the trigger differs', () => {
  const numbers = edges.map(({ from, trigger, to }) => edgeNumber(stateNumber(from), trigger, to));
  assert.equal(
    numbers,
    edges.map((_, number) => number),
  );
  const failures = edges.filter(({ from, to }) => from === 'recovering' && to === 'failed');
  assert.equal(
    failures.map(({ trigger }) => trigger),
    ['rethrown', 'failed'],
  );
});

test('an edge that the statechart does not have has no number', () => {
  assert.is(edgeNumber(stateNumber('checking'), 'recovered', 'failed'), -1);
});
