import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { strategies } from './steps.js';
import { readyOf } from './testing/simulated-front.js';
import { simulate } from './testing/simulated-run.js';

const test = suite('interrupted deployments');

type Run = Awaited<ReturnType<typeof simulate>>;

const options = {
  replicas: 4,
  oldReplicas: 4,
  stages: [10, 100],
  stageMs: 2_000,
  minSample: 0,
  holdMs: 60_000,
  readyMs: 20_000,
  stepMs: 30_000,
};

/** One side has all requests and all hosts, and never was anything taken away that nothing replaced. */
function mustServe(side: 'old' | 'new', run: Run, of: string): void {
  const { deployment, state, world, clock, unsafe } = run;
  assert.is(deployment.state, side === 'new' ? 'completed' : 'reverted', of);
  assert.is(state.toNew, side === 'new' ? 100 : 0, of);
  assert.is(readyOf(state, side, world, clock.now()), 4, of);
  if (deployment.strategy !== 'recreate') assert.equal(unsafe, [], of);
}

const losses = [['new'], ['old', 'new', 'weights']] as const;

for (const strategy of strategies) {
  test(`${strategy}: what stopped with the command is there again before the deployment goes on or back`, async () => {
    const whole = await simulate(strategy, { options });
    for (const lostWithProcess of losses)
      for (const [at, { write }] of whole.steps.entries())
        // Before a step is noted, and after it.
        for (const kill of [write, write + 1]) {
          const story = { options, lostWithProcess, kills: new Set([kill]) };
          const of = `${lostWithProcess.join()} lost at step ${at}`;
          mustServe('new', await simulate(strategy, { ...story, afterKill: 'resume' }), of);
          // A deployment that has changed nothing has nothing to undo.
          if (kill > (whole.steps[1]?.write ?? 0)) mustServe('old', await simulate(strategy, story), of);
        }
  });

  test(`${strategy}: whenever the front restarts, the requests are where they belong in the end`, async () => {
    for (const { atMs } of (await simulate(strategy, { options })).steps) {
      const world = { restartAt: atMs + 100 };
      mustServe('new', await simulate(strategy, { options, world }), `at ${atMs} ms`);
      const reverted = await simulate(strategy, { options, world, failingGate: 'post' });
      mustServe('old', reverted, `at ${atMs} ms`);
    }
  });

  test(`${strategy}: an abort or an interrupt is taken within 5 s in every step, also in one that hangs`, async () => {
    for (const { atMs, call } of (await simulate(strategy, { options })).steps)
      for (const faults of [undefined, new Map([[call, 'hung' as const]])])
        for (const how of [{ asked: [[atMs, 'abort']] as const }, { interruptedAtMs: atMs }]) {
          const run = await simulate(strategy, { options, ...(faults && { faults }), ...how });
          mustServe('old', run, `at ${atMs} ms`);
          const tookMs = (run.revertedAt ?? Infinity) - atMs;
          assert.ok(tookMs <= 5_000, `at ${atMs} ms: ${tookMs} ms`);
        }
  });

  test(`${strategy}: a driver that never ends to prepare can be aborted, and is given up in the end`, async () => {
    for (const how of [{ asked: [[4_000, 'abort']] as const }, { interruptedAtMs: 4_000 }]) {
      const aborted = await simulate(strategy, { options, prepareMs: Infinity, ...how });
      mustServe('old', aborted, 'aborted');
      assert.ok((aborted.revertedAt ?? Infinity) <= 9_000);
    }
    const endless = await simulate(strategy, { options, prepareMs: Infinity }).catch(
      (error: unknown) => error,
    );
    assert.ok(endless instanceof Problem);
    assert.is(endless.message, 'The driver could not prepare the revision 1.5.0: not done after 300 s.');
  });
}

for (const strategy of ['canary', 'blue-green'] as const)
  test(`${strategy}: new hosts that exit during the checks afterwards do not cost the old ones`, async () => {
    const { clock } = await simulate(strategy, { options, gateMs: 60_000 });
    const world = { exitAt: clock.now() - 30_000 };
    const run = await simulate(strategy, { options, gateMs: 60_000, world });
    assert.match(
      run.deployment.reason ?? '',
      /^could not wait until all hosts of new are ready: 0 ready after 20 s$/,
    );
    mustServe('old', run, strategy);
  });
