import { defaultOptions } from '../default-options.js';
import { driveDeployment } from '../drive-deployment.js';
import type { Outcome } from '../engine.js';
import type { Journal, OperatorRequest } from '../journal.js';
import type { DeploymentOptions, GateName, Strategy } from '../steps.js';
import type { Gate } from '../surroundings.js';
import type { DeploymentTarget, Side } from '../target.js';
import { deploymentOf, inMemoryJournal } from './in-memory-journal.js';
import {
  healthy,
  readyOf,
  restartFront,
  simulatedState,
  type SimulatedState,
  type Simulation,
  stopHosts,
} from './simulated-front.js';
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
  /** What is gone when the next process begins, as after a restart of the machine. */
  readonly lostWithProcess?: readonly (Side | 'weights')[];
  /** How long the driver prepares; Infinity: it never ends, and ignores its signal. */
  readonly prepareMs?: number;
  readonly failingGate?: GateName;
  /** How long the checks take. */
  readonly gateMs?: number;
  /** Requests of an operator, by virtual time. */
  readonly asked?: readonly (readonly [atMs: number, request: OperatorRequest])[];
  readonly interruptedAtMs?: number;
}

/** When a step began, and how many writes and calls there were before. */
interface SimulatedStep {
  readonly atMs: number;
  readonly write: number;
  readonly call: number;
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
  const [calls, unsafe, gates]: [string[], string[], GateName[]] = [[], [], []];
  const notes: Notes = { writes: 0, prepared: 0, steps: [], revertedAt: undefined };
  const journal = notedJournal(deployment, story, { clock, calls, notes, interruption });
  const raw = simulatedTarget(inMemory(state), world, clock, (call) => {
    calls.push(call);
    return story.faults?.get(calls.length - 1);
  });
  const target = watched(raw, (side) => readyOf(state, side, world, clock.now()), state, unsafe);
  const drive = (revertBecause?: string): Promise<Outcome | undefined> =>
    survived(
      driveDeployment({
        deployment: { ...deployment },
        prepare: async () => {
          notes.prepared++;
          if (story.prepareMs !== undefined) await clock.sleep(story.prepareMs);
          return { target, deployment: { ...deployment } };
        },
        gate: gateOf(story, clock, gates),
        revertBecause,
        journal,
        clock,
        interrupted: interruption.signal,
      }),
    );
  let outcome = await drive();
  while (outcome === undefined) {
    for (const lost of story.lostWithProcess ?? []) lose(state, lost);
    const continues = story.afterKill === 'resume' || deployment.state === 'reverting';
    outcome = await drive(continues ? undefined : 'the deploy command ended');
  }
  return { outcome, deployment, state, world, clock, calls, unsafe, gates, ...notes };
}

interface Notes {
  writes: number;
  /** How often the driver prepared the target. */
  prepared: number;
  readonly steps: SimulatedStep[];
  revertedAt: number | undefined;
}

interface Noting {
  readonly clock: VirtualClock;
  readonly calls: readonly string[];
  readonly notes: Notes;
  readonly interruption: AbortController;
}

/** A journal whose process is killed, interrupted and asked as the story says. */
function notedJournal(
  deployment: ReturnType<typeof deploymentOf>,
  story: Story,
  { clock, calls, notes, interruption }: Noting,
): Journal {
  const asked = [...(story.asked ?? [])];
  return inMemoryJournal(deployment, {
    before: (call) => {
      const write = notes.writes++;
      if (call === 'beginStep') notes.steps.push({ atMs: clock.now(), write, call: calls.length });
      if (call === 'beginRevert') notes.revertedAt = clock.now();
      if (story.kills?.has(write) === true) throw new Killed();
      if (clock.now() >= (story.interruptedAtMs ?? Infinity)) interruption.abort();
    },
    request: () => (clock.now() >= (asked[0]?.[0] ?? Infinity) ? asked.shift()?.[1] : undefined),
  });
}

const gateOf =
  ({ gateMs, failingGate }: Story, clock: VirtualClock, gates: GateName[]): Gate =>
  async (name) => {
    gates.push(name);
    if (gateMs !== undefined) await clock.sleep(gateMs);
    return { ok: name !== failingGate, reason: 'no database' };
  };

const lose = (state: SimulatedState, lost: Side | 'weights'): void =>
  lost === 'weights' ? restartFront(state) : stopHosts(state, lost);

/** Notes when a side loses hosts or requests although no host of the other one is ready. */
function watched(
  target: DeploymentTarget,
  ready: (side: Side) => number,
  { sides }: SimulatedState,
  unsafe: string[],
): DeploymentTarget {
  const note = (what: string, side: Side): void => {
    const other = side === 'old' ? 'new' : 'old';
    if (ready(side) > 0 && ready(other) === 0) unsafe.push(`${what} ${side} while no ${other} host is ready`);
  };
  return {
    ...target,
    scale: (side, replicas, signal, withinMs) => {
      if (replicas === 0 && sides[side].replicas > 0) note('stop', side);
      return target.scale(side, replicas, signal, withinMs);
    },
    drain: (side, signal, withinMs) => {
      note('drain', side);
      return target.drain(side, signal, withinMs);
    },
  };
}

const survived = (run: Promise<Outcome>): Promise<Outcome | undefined> =>
  run.catch((error: unknown) => {
    if (error instanceof Killed) return undefined;
    throw error;
  });
