import * as assert from 'uvu/assert';
import { createMachine, setup } from 'xstate';
import { fulfilment } from '../../actors/testing/order-fulfilment.js';
import { suite } from '../../contracts/testing/suite.js';
import { lifecycleMachine } from '../lifecycle/lifecycle-machine.js';
import { machineJson } from './frames.js';

const test = suite('machine JSON');

test('a machine survives a JSON round trip: the same states and transitions', () => {
  const again = createMachine(JSON.parse(machineJson(lifecycleMachine)) as { id: string });
  assert.is(again.id, 'lifecycle');
  assert.equal(Object.keys(again.states), Object.keys(lifecycleMachine.states));
  for (const [name, state] of Object.entries(lifecycleMachine.states)) {
    assert.equal(again.states[name]?.ownEvents, state.ownEvents, name);
  }
});

test('a guard or action that is a function is shown by its name', () => {
  const isOpen = () => true;
  const machine = setup({}).createMachine({
    id: 'door',
    initial: 'shut',
    context: () => ({ secret: 1 }),
    states: { shut: { on: { push: [{ guard: isOpen, target: 'open' }, { guard: () => true }] } }, open: {} },
  });
  assert.equal(JSON.parse(machineJson(machine)), {
    id: 'door',
    initial: 'shut',
    context: {},
    states: { shut: { on: { push: [{ guard: 'isOpen', target: 'open' }, { guard: 'inline' }] } }, open: {} },
  });
});

test('the machine of a process survives it as well, without its context', () => {
  const json = machineJson(fulfilment);
  const again = createMachine(JSON.parse(json) as { id: string });
  assert.is(again.id, 'order-fulfilment');
  assert.equal(Object.keys(again.states), Object.keys(fulfilment.states));
  for (const [name, state] of Object.entries(fulfilment.states)) {
    assert.equal(again.states[name]?.ownEvents, state.ownEvents, name);
  }
  assert.equal((JSON.parse(json) as { context: unknown }).context, {});
});
