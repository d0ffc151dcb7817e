import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type Actor, type AnyActorLogic, createActor } from 'xstate';
import { suite } from '../../contracts/testing/suite.js';
import { compiledChart } from '../../actors/steps/compiled-chart.js';
import { mustBeFlat } from '../../actors/testing/flat-chart.js';
import { lifecycleMachine, type LifecyclePlan } from './lifecycle-machine.js';

const test = suite('transition table');

const booleans = [false, true];
const plans: LifecyclePlan[] = booleans.flatMap((mapsRequest) =>
  booleans.flatMap((hasBefore) =>
    booleans.flatMap((hasAfter) =>
      booleans.map((hasError) => ({ mapsRequest, hasBefore, hasAfter, hasError })),
    ),
  ),
);
const eventTypes = [
  'passed',
  'cancelled',
  'succeeded',
  'failed',
  'recovered',
  'rethrown',
  'unheard of',
] as const;

interface Seen {
  readonly value: unknown;
  readonly status: string;
}

const follow = (plan: LifecyclePlan, path: readonly string[], compiled: boolean): Seen => {
  const actor: Actor<AnyActorLogic> = compiled
    ? createActor(compiledChart(lifecycleMachine, plan)).start()
    : createActor(lifecycleMachine, { input: plan }).start();
  for (const type of path) actor.send({ type });
  const { value, status } = actor.getSnapshot() as Seen;
  return { value, status };
};

/** Every reachable state, each with one path to it. */
function reachable(plan: LifecyclePlan): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const open: (readonly string[])[] = [[]];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const value = String(follow(plan, path, false).value);
    if (found.has(value)) continue;
    found.set(value, path);
    for (const type of eventTypes) open.push([...path, type]);
  }
  return found;
}

test('in every plan, the table responds to every event in every state like the machine', () => {
  let compared = 0;
  const visited = new Set<string>();
  for (const plan of plans) {
    for (const [value, path] of reachable(plan)) {
      visited.add(value);
      for (const type of eventTypes) {
        const way = [...path, type];
        assert.equal(follow(plan, way, true), follow(plan, way, false), `${value} on ${type}`);
        compared++;
      }
    }
  }
  assert.equal(
    [...visited].sort(),
    Object.keys(lifecycleMachine.states).sort(),
    'every state is reached by some plan',
  );
  assert.ok(compared > 500);
});

test('any sequence of events ends in the same state in both', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...plans),
      fc.array(fc.constantFrom(...eventTypes), { maxLength: 12 }),
      (plan, path) => {
        assert.equal(follow(plan, path, true), follow(plan, path, false));
      },
    ),
    { numRuns: 300 },
  );
});

test('the lifecycle has only what a table can hold: flat states, and transitions without actions', () =>
  mustBeFlat(lifecycleMachine));
