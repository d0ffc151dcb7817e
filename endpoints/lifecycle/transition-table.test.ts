import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type AnyStateMachine, assign, createActor, createMachine, fromPromise } from 'xstate';
import { suite } from '../../contracts/testing/suite.js';
import { lifecycleMachine, type LifecyclePlan } from './lifecycle-machine.js';
import { compileTable } from './transition-table.js';

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

const follow = (
  machine: AnyStateMachine,
  plan: LifecyclePlan,
  path: readonly string[],
  compiled: boolean,
): Seen => {
  const actor = compiled
    ? createActor(compileTable(machine, plan)).start()
    : createActor(machine, { input: plan }).start();
  for (const type of path) actor.send({ type });
  const { value, status } = actor.getSnapshot() as Seen;
  return { value, status };
};

/** Every reachable state, each with one path to it. */
function reachable(plan: LifecyclePlan): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const open: (readonly string[])[] = [[]];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const value = String(follow(lifecycleMachine, plan, path, false).value);
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
        assert.equal(
          follow(lifecycleMachine, plan, way, true),
          follow(lifecycleMachine, plan, way, false),
          `${value} on ${type}`,
        );
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
        assert.equal(follow(lifecycleMachine, plan, path, true), follow(lifecycleMachine, plan, path, false));
      },
    ),
    { numRuns: 300 },
  );
});

const refusals: readonly [string, AnyStateMachine][] = [
  [
    'an invoke',
    createMachine({ initial: 'a', states: { a: { invoke: { src: fromPromise(() => Promise.resolve()) } } } }),
  ],
  ['entry or exit actions', createMachine({ initial: 'a', states: { a: { entry: () => undefined } } })],
  ['entry or exit actions', createMachine({ initial: 'a', states: { a: { exit: () => undefined } } })],
  ['an eventless transition', createMachine({ initial: 'a', states: { a: { always: 'b' }, b: {} } })],
  ['a delay', createMachine({ initial: 'a', states: { a: { after: { 10: 'b' } }, b: {} } })],
  ['the compound state', createMachine({ initial: 'a', states: { a: { initial: 'b', states: { b: {} } } } })],
  ['a wildcard event', createMachine({ initial: 'a', states: { a: { on: { '*': 'b' } }, b: {} } })],
  [
    'actions on go',
    createMachine({
      initial: 'a',
      states: { a: { on: { go: { target: 'b', actions: assign({}) } } }, b: {} },
    }),
  ],
  ['transitions at its root', createMachine({ initial: 'a', on: { go: '.b' }, states: { a: {}, b: {} } })],
  ['a parallel root', createMachine({ type: 'parallel', states: { a: {} } })],
];

for (const [what, machine] of refusals) {
  test(`a machine with ${what} is refused at start-up`, () => {
    assert.throws(
      () => compileTable(machine, {}),
      (error: Error) => error.message.includes(what) && error.message.includes('table cannot express'),
    );
  });
}
