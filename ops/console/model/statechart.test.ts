import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { lifecycleMachine } from '../../../endpoints/lifecycle/lifecycle-machine.js';
import { chartOf, type StateDefinition } from './statechart.js';

const test = suite('statechart');

const { states, edges } = chartOf(JSON.parse(JSON.stringify(lifecycleMachine.definition)) as StateDefinition);

test('a machine is drawn from its own JSON', () => {
  assert.equal(
    states.map(({ key }) => key),
    Object.keys(lifecycleMachine.states),
  );
  assert.equal(
    states.filter(({ initial }) => initial).map(({ key }) => key),
    ['checking'],
  );
  assert.equal(
    states.filter(({ final }) => final).map(({ key }) => key),
    ['completed', 'recovered', 'cancelled', 'failed'],
  );
});

test('a state names the hook it runs', () => {
  assert.is(states.find(({ key }) => key === 'before')?.description, 'onBeforeExecute');
});

test('two events between the same states are two edges, each with its guard', () => {
  const ways = edges.filter(({ from, to }) => from === 'lifecycle.recovering' && to === 'lifecycle.failed');
  assert.equal(ways.map(({ event }) => event).sort(), ['failed', 'rethrown']);
  assert.is(edges.find(({ to }) => to === 'lifecycle.mapping')?.guard, 'mapsRequest');
});
