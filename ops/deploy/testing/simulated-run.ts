import { type Engine, type Outcome, revertDeployment, runDeployment } from '../engine.js';
import { defaultOptions } from '../default-options.js';
import type { OperatorRequest } from '../journal.js';
import type { DeploymentOptions, GateName, Strategy } from '../steps.js';
import { deploymentOf, inMemoryJournal } from './in-memory-journal.js';
import { healthy, simulatedState, type Simulation } from './simulated-front.js';
import { type Fault, inMemory, simulatedTarget } from './simulated-target.js';
import { VirtualClock } from './virtual-clock.js';

/** What happens in a simulated deployment. */
export interface Story {
  readonly options?: Partial<DeploymentOptions>;
  readonly world?: Partial<Simulation>;
  /** Faults by the number of the call that changes something. */
  readonly faults?: ReadonlyMap<number, Fault>;
  /** Writes of the journal, by number, at which the process is killed. */
  readonly kills?: ReadonlySet<number>;
  readonly afterKill?: 'resume' | 'revert';
  readonly failingGate?: GateName;
  /** Requests of an operator, by virtual time. */
  readonly asked?: readonly (readonly [atMs: number, request: OperatorRequest])[];
  readonly interruptedAtMs?: number;
}

class Killed extends Error {}

/** Runs a deployment in simulated time until its row is finished, with another process after each kill. */
export async function simulate(strategy: Strategy, story: Story = {}) {
  const options = { ...defaultOptions(strategy), oldReplicas: 10, ...story.options };
  const world = { ...healthy, ...story.world };
  const clock = new VirtualClock();
  const state = simulatedState(options.oldReplicas, clock.now());
  const deployment = deploymentOf(strategy, options);
  const interruption = new AbortController();
  const asked = [...(story.asked ?? [])];
  const calls: string[] = [];
  let writes = 0;
  const journal = inMemoryJournal(deployment, {
    before: () => {
      if (story.kills?.has(writes++) === true) throw new Killed();
      if (clock.now() >= (story.interruptedAtMs ?? Infinity)) interruption.abort();
    },
    request: () => (clock.now() >= (asked[0]?.[0] ?? Infinity) ? asked.shift()?.[1] : undefined),
  });
  const target = simulatedTarget(inMemory(state), world, clock, (call) => {
    calls.push(call);
    return story.faults?.get(calls.length - 1);
  });
  const gate = async (name: GateName) => ({ ok: name !== story.failingGate, reason: 'no database' });
  const engine = (): Engine => ({
    deployment: { ...deployment },
    target,
    journal,
    gate,
    clock,
    interrupted: interruption.signal,
  });
  let outcome = await survived(runDeployment(engine()));
  while (outcome === undefined) {
    const continues = story.afterKill === 'resume' || deployment.state === 'reverting';
    outcome = await survived(
      continues ? runDeployment(engine()) : revertDeployment(engine(), 'the deploy command ended'),
    );
  }
  return { outcome, deployment, state, world, clock, calls, writes };
}

const survived = (run: Promise<Outcome>): Promise<Outcome | undefined> =>
  run.catch((error: unknown) => {
    if (error instanceof Killed) return undefined;
    throw error;
  });
