import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import type { RequestItem } from './requests.js';
import { lifecycleMachine, type LifecycleState } from '../../../endpoints/lifecycle/lifecycle-machine.js';
import { chartOf, type StateDefinition } from './statechart.js';
import { stateKeyOf, edgesTaken } from './request-path.js';

const test = suite('path of a request');

const { edges } = chartOf(JSON.parse(JSON.stringify(lifecycleMachine.definition)) as StateDefinition);

const edgesOf = (
  states: readonly LifecycleState[],
  end: Pick<RequestItem, 'outcome' | 'failedIn'>,
): string[] => {
  const request: RequestItem = {
    id: 'r',
    correlationId: 'c',
    command: 'ShipOrder',
    transport: 'rest',
    startedAt: '2026-01-01T00:00:00.000Z',
    ms: 3,
    states: states.map((state) => [state, 1] as const),
    ...end,
  };
  return [...edgesTaken(request, edges)].map((id) => id.split(' ').map(stateKeyOf).join(' '));
};

test('its edges follow from its states', () => {
  assert.equal(edgesOf(['checking', 'dispatching'], { outcome: 'completed' }), [
    'checking passed dispatching',
    'dispatching succeeded completed',
  ]);
});

test('an error-hook that threw and one that returned nothing took different edges', () => {
  const states = ['checking', 'dispatching', 'recovering'] as const;
  assert.is(
    edgesOf(states, { outcome: 'failed', failedIn: 'recovering' }).at(-1),
    'recovering failed failed',
  );
  assert.is(
    edgesOf(states, { outcome: 'failed', failedIn: 'dispatching' }).at(-1),
    'recovering rethrown failed',
  );
});
