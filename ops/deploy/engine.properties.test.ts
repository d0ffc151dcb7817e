import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { strategies } from './steps.js';
import { readyOf } from './testing/simulated-front.js';
import { simulate } from './testing/simulated-run.js';

const test = suite('deployment properties');

const options = fc.record({
  replicas: fc.integer({ min: 2, max: 12 }),
  oldReplicas: fc.integer({ min: 1, max: 12 }),
  maxSurge: fc.integer({ min: 0, max: 3 }),
  maxUnavailable: fc.integer({ min: 1, max: 1 }),
  keep: fc.integer({ min: 0, max: 2 }),
  stageMs: fc.constantFrom(0, 5_000),
  minSample: fc.constantFrom(0, 10, 200),
  readyMs: fc.constant(20_000),
  // Four calls that hang take less than the time of a revert, which is the hold and the time to become ready.
  stepMs: fc.constant(4_000),
  holdMs: fc.constantFrom(10_000, 60_000),
});

const world = fc.record({
  bootMs: fc.constantFrom(0, 2_000),
  requestsPerSecond: fc.constantFrom(1, 100),
  errors: fc.constantFrom(0, 0, 0.2),
  neverReady: fc.boolean(),
  unmeasured: fc.constantFrom<[number, number]>([Infinity, Infinity], [0, 8_000], [5_000, Infinity]),
});

const faults = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 25 }),
      fc.constantFrom('refused', 'failed-after', 'hung', 'hung-after'),
    ),
    { maxLength: 4 },
  )
  .map((list) => new Map(list));

const story = fc.record({
  options,
  world,
  faults,
  kills: fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 4 }).map((list) => new Set(list)),
  afterKill: fc.constantFrom('resume' as const, 'revert' as const),
  asked: fc
    .array(fc.tuple(fc.integer({ min: 0, max: 60_000 }), fc.constantFrom('promote', 'abort', 'resume')), {
      maxLength: 3,
    })
    .map((list) => list.toSorted(([one], [other]) => one - other)),
});

test('whatever fails and whenever it is killed, one side gets all requests, serves them, and the row is finished', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...strategies), story, async (strategy, given) => {
      const run = await simulate(strategy, given);
      const side = run.outcome.state === 'completed' ? 'new' : 'old';
      assert.is(run.deployment.state, run.outcome.state);
      assert.is(run.state.toNew, side === 'new' ? 100 : 0);
      const wanted = side === 'new' ? given.options.replicas : given.options.oldReplicas;
      assert.ok(readyOf(run.state, side, run.world, run.clock.now()) >= wanted, `${side} is not ready`);
      if (strategy !== 'recreate') assert.is(run.state.lost, 0);
    }),
    { numRuns: 200 },
  ));
