import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { strategies, type Strategy } from './steps.js';
import { readyOf } from './testing/simulated-front.js';
import { simulate, type Story } from './testing/simulated-run.js';
import type { Side } from './target.js';

const test = suite('deployment engine');

type Run = Awaited<ReturnType<typeof simulate>>;

const ready = ({ state, world, clock }: Run, side: Side): number => readyOf(state, side, world, clock.now());

/** Much shorter stages, where their length is not the point. */
const quick = { stageMs: 2_000, minSample: 0, holdMs: 60_000, readyMs: 20_000, stepMs: 5_000 };

/** The writes of the journal at which a process is killed: before each step is noted, after it, and at the end. */
async function killsOf(strategy: Strategy): Promise<readonly number[]> {
  const { steps, writes } = await simulate(strategy, { options: { ...quick, stageMs: 0 } });
  assert.ok(steps.length > 5);
  return [...steps.flatMap(({ write }) => [write, write + 1]), writes - 1];
}

const mustBeOnNew = (run: Run): void => {
  assert.equal(run.outcome, { state: 'completed' });
  assert.equal([run.state.toNew, ready(run, 'new'), run.deployment.state], [100, 10, 'completed']);
};

const mustBeOnOld = (run: Run, reason: RegExp): void => {
  assert.is(run.outcome.state, 'reverted');
  assert.match(run.deployment.reason ?? '', reason);
  assert.equal([run.state.toNew, run.state.isForced, ready(run, 'old')], [0, false, 10]);
  assert.equal([run.state.sides.new.replicas, run.deployment.state], [0, 'reverted']);
};

for (const strategy of strategies) {
  test(`${strategy}: a healthy revision gets all requests`, async () => {
    const run = await simulate(strategy);
    mustBeOnNew(run);
    assert.is(run.state.sides.old.replicas, strategy === 'blue-green' ? 1 : 0);
    assert.is(run.state.lost > 0, strategy === 'recreate');
  });

  test(`${strategy}: whichever call fails or hangs, the old revision serves again`, async () => {
    const { calls } = await simulate(strategy, { options: quick });
    for (const fault of ['refused', 'failed-after', 'hung', 'hung-after'] as const) {
      for (const at of calls.keys()) {
        const run = await simulate(strategy, { options: quick, faults: new Map([[at, fault]]) });
        mustBeOnOld(run, /^could not .*: (?:the front refused|the connection was lost|not done after 5 s)/);
        if (strategy !== 'recreate') assert.is(run.state.lost, 0);
      }
    }
  });

  test(`${strategy}: whenever the process is killed, the old revision serves again`, async () => {
    for (const at of await killsOf(strategy)) {
      const story = { options: { ...quick, stageMs: 0 }, kills: new Set([at]) };
      mustBeOnOld(await simulate(strategy, story), /^the deploy command ended$/);
    }
  });

  test(`${strategy}: whenever the process is killed, another one can complete the deployment`, async () => {
    for (const at of await killsOf(strategy))
      mustBeOnNew(
        await simulate(strategy, {
          options: { ...quick, stageMs: 0 },
          kills: new Set([at]),
          afterKill: 'resume',
        }),
      );
  });

  test(`${strategy}: a revision that never becomes ready is reverted when its time is over`, async () => {
    const run = await simulate(strategy, { options: quick, world: { neverReady: true } });
    mustBeOnOld(run, /^could not wait until .*: 0 ready after 20 s$/);
    assert.ok(run.clock.now() < 30_000);
  });

  test(`${strategy}: hosts that exit during a stage revert it, though the front counts no request`, async () => {
    const world = { exitAt: 20_000, requestsPerSecond: 0 };
    const run = await simulate(strategy, { options: { ...quick, stageMs: 40_000 }, world });
    mustBeOnOld(run, /^no host of the new revision was ready for 5 s$/);
  });

  test(`${strategy}: without metrics a stage holds, then reverts`, async () => {
    const run = await simulate(strategy, { options: quick, world: { unmeasured: [1_000, Infinity] } });
    mustBeOnOld(run, /^no metrics: the metrics source does not answer, and the hold of 60 s is over$/);
    assert.ok(run.clock.now() > 60_000);
  });

  test(`${strategy}: metrics that come back in time let the deployment go on`, async () => {
    mustBeOnNew(await simulate(strategy, { options: quick, world: { unmeasured: [1_000, 50_000] } }));
  });

  test(`${strategy}: failed checks before or after revert`, async () => {
    const before = await simulate(strategy, { failingGate: 'pre' });
    mustBeOnOld(before, /^the pre-deployment checks failed: no database$/);
    assert.equal(before.calls, [], 'nothing was touched');
    mustBeOnOld(
      await simulate(strategy, { options: quick, failingGate: 'post' }),
      /^the post-deployment checks failed: no database$/,
    );
  });

  test(`${strategy}: a stream that a client keeps open reverts nothing, however little time a step has`, async () => {
    mustBeOnNew(await simulate(strategy, { options: quick, world: { hasStreams: true } }));
  });

  test(`${strategy}: an operator may abort at any time, and so may an interrupt`, async () => {
    const end = (await simulate(strategy, { options: quick })).clock.now();
    for (const atMs of [0, end * 0.3, end * 0.6, end * 0.9]) {
      mustBeOnOld(
        await simulate(strategy, { options: quick, asked: [[atMs, 'abort']] }),
        /^aborted by an operator$/,
      );
      mustBeOnOld(
        await simulate(strategy, { options: quick, interruptedAtMs: atMs }),
        /^the deploy command was interrupted$/,
      );
    }
  });
}

test('more than 5 percent of errors revert a canary at the 200th request', async () => {
  const run = await simulate('canary', { world: { errors: 0.1 } });
  mustBeOnOld(run, /^\d+(?:\.\d)? % of 2\d\d requests failed, more than 5 %$/);
  // 10 % of 50 requests a second: the 200th comes after 40 s, and the hosts took 3 s.
  assert.ok(run.clock.now() < 45_000, String(run.clock.now()));
});

test('errors of fewer than 200 requests decide nothing: the stage holds for an hour, then reverts', async () => {
  const run = await simulate('canary', { world: { errors: 1, requestsPerSecond: 0.1 } });
  mustBeOnOld(run, /^not enough traffic: \d+ of 200 requests, and the hold of 3600 s is over$/);
  assert.ok(run.clock.now() >= 3_900_000 && run.clock.now() < 3_920_000, String(run.clock.now()));
});

test('a stage that lacks requests goes on as soon as it has them', async () => {
  const run = await simulate('canary', { world: { requestsPerSecond: 2 }, options: { stages: [10, 100] } });
  mustBeOnNew(run);
  // 10 % of 2 a second: the 200th after 1000 s.
  assert.ok(run.clock.now() > 1_300_000 - 5_000 && run.clock.now() < 1_320_000, String(run.clock.now()));
});

test('promote ends the current stage, however few requests it had', async () => {
  const asked = [1, 2, 3, 4, 5].map((n) => [n * 20_000, 'promote'] as const);
  const run = await simulate('canary', { world: { requestsPerSecond: 0.1 }, asked });
  mustBeOnNew(run);
  assert.ok(run.clock.now() < 150_000, String(run.clock.now()));
});

test('a pause lasts until resume, and a revision that fails meanwhile is reverted', async () => {
  const paused: Story = {
    asked: [
      [60_000, 'pause'],
      [1_800_000, 'resume'],
    ],
  };
  const run = await simulate('canary', paused);
  mustBeOnNew(run);
  assert.ok(run.clock.now() > 1_800_000);
  const asked = [[10_000, 'pause']] as const;
  mustBeOnOld(await simulate('canary', { asked, world: { errors: 0.1 } }), /requests failed/);
});

test('a deployment that was paused is still paused for the next process', async () => {
  const run = await simulate('canary', {
    asked: [
      [60_000, 'pause'],
      [1_800_000, 'promote'],
    ],
    kills: new Set([200]),
    afterKill: 'resume',
  });
  mustBeOnNew(run);
  assert.ok(run.clock.now() > 1_800_000);
});

test('each stage has its own counts', async () => {
  const { deployment } = await simulate('canary', { world: { errors: 0.02 } });
  assert.equal(
    deployment.measured.map(({ toNew, requests }) => [toNew, Math.round(requests / 100)]),
    [
      [10, 15],
      [25, 38],
      [50, 75],
      [75, 113],
      [100, 150],
    ],
  );
});

test('while a canary is reverted, its requests come back before anything else', async () => {
  const { calls } = await simulate('canary', { world: { errors: 0.1 } });
  assert.equal(calls.slice(3), ['setWeights', 'force', 'drain', 'scale']);
});

test('blue-green starts the old hosts again before it switches back', async () => {
  const { calls } = await simulate('blue-green');
  const run = await simulate('blue-green', { faults: new Map([[calls.length - 1, 'failed-after']]) });
  assert.equal(run.calls.slice(calls.length), ['scale', 'switch', 'force', 'drain', 'scale']);
  assert.is(run.state.lost, 0);
});

test('the first deployment that fails leaves no hosts', async () => {
  const run = await simulate('canary', { options: { oldReplicas: 0 }, world: { neverReady: true } });
  assert.is(run.outcome.state, 'reverted');
  assert.is(run.state.sides.new.replicas, 0);
});

test('a revert that cannot move the requests says so in the end, and stays unfinished', async () => {
  const faults = new Map(Array.from({ length: 5_000 }, (_, at) => [at + 3, 'refused'] as const));
  const stuck = await simulate('canary', { world: { errors: 0.1 }, faults }).catch((error: unknown) => error);
  assert.ok(stuck instanceof Problem);
  assert.match(
    stuck.message,
    /cannot be reverted: could not send 0 % to new: the front refused the call; .*abort/,
  );
});
