import { strategies } from '../deploy/steps.js';
import type { OperatorRequest } from '../deploy/journal.js';
import { readyOf } from '../deploy/testing/simulated-front.js';
import { simulate, type Story } from '../deploy/testing/simulated-run.js';
import type { Fault } from '../deploy/testing/simulated-target.js';
import { thrownMessage } from '../../runtime/lang/thrown.js';
import { type EngineRun, Findings } from './engine-run.js';
import type { SimulatedTime } from './simulated-time.js';

type Ran = Awaited<ReturnType<typeof simulate>>;

const turnsMs = 100;
const faults: readonly Fault[] = ['refused', 'failed-after', 'hung', 'hung-after'];
const requests: readonly OperatorRequest[] = ['promote', 'abort', 'resume'];

/** A deployment of any strategy, whose front fails, whose process is killed, and whose operator changes their mind. */
export async function deployments(time: SimulatedTime): Promise<EngineRun> {
  const found = new Findings();
  const strategy = oneOf(time, strategies);
  const story = storyFrom(time);
  let ran: Ran | undefined;
  let thrown: unknown;
  void simulate(strategy, story).then(
    (run) => (ran = run),
    (error: unknown) => (thrown = error),
  );
  await time.until(() => ran !== undefined || thrown !== undefined, turnsMs);
  const injected = (story.faults?.size ?? 0) + (story.kills?.size ?? 0);
  if (ran === undefined) found.must(false, `the deployment has no end: ${thrownMessage(thrown)}`);
  else check(ran, story, found);
  return { found: found.all, work: ran?.steps.length ?? 0, faults: injected };
}

function check(
  { outcome, deployment, state, world, clock, unsafe }: Ran,
  story: Story,
  found: Findings,
): void {
  const side = outcome.state === 'completed' ? 'new' : 'old';
  const { replicas = 0, oldReplicas = 0 } = story.options ?? {};
  const wanted = side === 'new' ? replicas : oldReplicas;
  found.must(deployment.state === outcome.state, 'the row of the deployment is not finished');
  found.must(state.toNew === (side === 'new' ? 100 : 0), `${side} does not get all requests`);
  found.must(readyOf(state, side, world, clock.now()) >= wanted, `${side} has lost hosts`);
  if (deployment.strategy === 'recreate') return;
  found.must(state.lost === 0, 'requests came to a side without a host');
  for (const what of unsafe) found.must(false, what);
}

function storyFrom(time: SimulatedTime): Story {
  const few = <T>(most: number, draw: () => T): T[] => Array.from({ length: time.below(most + 1) }, draw);
  const asked = few(3, () => [time.below(60_000), oneOf(time, requests)] as const);
  return {
    options: {
      replicas: 2 + time.below(11),
      oldReplicas: 1 + time.below(12),
      maxSurge: time.below(4),
      maxUnavailable: 1,
      keep: time.below(3),
      stageMs: oneOf(time, [0, 5_000]),
      minSample: oneOf(time, [0, 10, 200]),
      // Four calls that hang take less than the time of a revert, which is the hold and the time to become ready.
      readyMs: 20_000,
      stepMs: 4_000,
      holdMs: oneOf(time, [10_000, 60_000]),
    },
    world: {
      bootMs: oneOf(time, [0, 2_000]),
      requestsPerSecond: oneOf(time, [1, 100]),
      errors: oneOf(time, [0, 0, 0.2]),
      neverReady: time.chance(0.2),
      unmeasured: oneOf<readonly [number, number]>(time, [
        [Infinity, Infinity],
        [0, 8_000],
        [5_000, Infinity],
      ]),
    },
    faults: new Map(few(4, () => [time.below(26), oneOf(time, faults)] as const)),
    kills: new Set(few(4, () => time.below(200))),
    afterKill: oneOf(time, ['resume', 'revert'] as const),
    asked: asked.toSorted(([one], [other]) => one - other),
  };
}

const oneOf = <T>(time: SimulatedTime, all: readonly T[]): T => all[time.below(all.length)] as T;
