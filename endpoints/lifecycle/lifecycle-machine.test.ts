import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { isOutcome, lifecycleMachine, type LifecycleState } from './lifecycle-machine.js';

const test = suite('lifecycle machine');

test('its final states are the four outcomes', () => {
  const finals = Object.values(lifecycleMachine.states).filter((state) => state.type === 'final');
  assert.equal(finals.map((state) => state.key).sort(), ['cancelled', 'completed', 'failed', 'recovered']);
  for (const [name, state] of Object.entries(lifecycleMachine.states)) {
    assert.is(isOutcome(name as LifecycleState), state.type === 'final');
  }
});

test('its JSON can be pasted into a tool', () => {
  const definition = JSON.parse(JSON.stringify(lifecycleMachine.definition)) as {
    id: string;
    states: object;
  };
  assert.is(definition.id, 'lifecycle');
  assert.is(Object.keys(definition.states).length, 10);
});

test('only the check and the dispatch can end without the hooks after them', () => {
  assert.equal(lifecycleMachine.states['before']?.ownEvents.sort(), ['failed', 'succeeded']);
  assert.equal(lifecycleMachine.states['checking']?.ownEvents.sort(), ['cancelled', 'passed']);
});
