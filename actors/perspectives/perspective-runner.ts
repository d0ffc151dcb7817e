import { type ActorRefFrom, createActor } from 'xstate';
import type { Long } from '../../contracts/scalars.js';
import type { PerspectiveLease } from '../../runtime/perspectives/perspective-leases.js';
import type { PerspectiveState } from '../../runtime/perspectives/service-perspectives.js';
import type { Child, Running } from '../supervisor/child.js';
import { stopOrphansOf } from '../supervisor/stop-orphaned-actors.js';
import { aheadOfLogProblem } from './ahead-of-log-problem.js';
import { type RunnerProgress, unknownProgress } from './runner-progress.js';
import type { RoundPorts } from './perspective-round.js';
import {
  perspectiveRunnerMachine,
  type RunnerEvent,
  type RunnerSettings,
} from './perspective-runner-machine.js';

interface RunnerOptions {
  readonly ports: RoundPorts;
  readonly settings: RunnerSettings;
  readonly askForLease: () => void;
  /** The cursor has moved. */
  moved(table: string, position: number): void;
}

interface ActiveRun {
  readonly progress: RunnerProgress;
  readonly actor: ActorRefFrom<typeof perspectiveRunnerMachine>;
}

/** A perspective on this host, and what is known of it while another host runs it. */
export class PerspectiveRunner implements Child {
  #active: ActiveRun | undefined;
  #lease: PerspectiveLease | undefined;
  #behindSince: number | undefined;

  constructor(private readonly options: RunnerOptions) {}

  get name(): string {
    return `${this.options.ports.table.name} perspective`;
  }

  /** Each start begins without a lease and without knowledge of the last run. */
  start(crashed: (error: unknown) => void): Running {
    const { ports, settings, askForLease } = this.options;
    const progress = unknownProgress();
    const actor = createActor(perspectiveRunnerMachine, {
      input: { ports, settings, progress, askForLease },
    });
    this.#active = { progress, actor };
    actor.subscribe({
      next: () => this.#moved(progress),
      error: (error: unknown) => {
        this.#active = undefined;
        stopOrphansOf(actor);
        crashed(error);
      },
    });
    actor.start();
    askForLease();
    const stop = async (): Promise<void> => {
      actor.stop();
      // Wait for the current round.
      await progress.round;
    };
    return { stop };
  }

  get table(): string {
    return this.options.ports.table.table;
  }

  send(event: RunnerEvent): void {
    this.#active?.actor.send(event);
  }

  leaseRenewed(lease: PerspectiveLease): void {
    this.#lease = lease;
    if (lease.position >= lease.head) this.#behindSince = undefined;
    else this.#behindSince ??= performance.now();
    if (this.#active === undefined) return;
    const { progress, actor } = this.#active;
    if (!lease.held) return actor.send({ type: 'lost' });
    progress.head = Math.max(progress.head, lease.head);
    actor.send({
      type: 'leased',
      released: lease.released,
      hasUnreportedRewinds: lease.hasUnreportedRewinds,
    });
  }

  get state(): PerspectiveState {
    const ours = this.#active?.progress.isLoaded === true ? this.#active.progress : undefined;
    const position = Math.max(ours?.position ?? 0, this.#lease?.position ?? 0);
    const head = Math.max(ours?.head ?? 0, this.#lease?.head ?? 0);
    const { state, error = this.#aheadOfLog() } = this.#machineState();
    const notServed = this.#lease?.notServed;
    return {
      name: this.options.ports.table.name,
      position,
      lag: Math.max(0, head - position),
      behindSeconds: this.#behindSince === undefined ? 0 : (performance.now() - this.#behindSince) / 1_000,
      state: notServed === undefined ? state : 'failed',
      parked: ours?.parked.size ?? this.#lease?.parked ?? 0,
      ...(error === undefined ? {} : { error }),
      ...(notServed === undefined ? {} : { notServed }),
    };
  }

  /** Undefined while another host runs it. */
  get hasParked(): boolean | undefined {
    const progress = this.#active?.progress;
    return progress?.isLoaded === true ? progress.parked.size > 0 : undefined;
  }

  /** The store shows a write a moment before its round ends: the state is complete only then. */
  async roundEnded(position: Long): Promise<void> {
    const progress = this.#active?.progress;
    if (progress?.isLoaded === true && progress.position < position) await progress.round;
  }

  #machineState(): { readonly state: string; readonly error?: string | undefined } {
    if (this.#active === undefined) return { state: 'crashed' };
    const { value, context } = this.#active.actor.getSnapshot();
    const state = typeof value === 'string' ? value : (Object.keys(value)[0] ?? '');
    return { state: state === 'repairing' ? 'catchingUp' : state, error: context.error };
  }

  /** Another host runs the perspective and may not notice: every host compares cursor and head. */
  #aheadOfLog(): string | undefined {
    if (this.#lease === undefined || this.#lease.position <= this.#lease.head) return undefined;
    return aheadOfLogProblem(this.options.ports.table.name, this.#lease.position, this.#lease.head).message;
  }

  #moved({ isLoaded, position, head }: RunnerProgress): void {
    if (!isLoaded) return;
    if (position >= head) this.#behindSince = undefined;
    this.options.moved(this.table, position);
  }
}

/** The state before the table exists. */
export const startingState = (name: string): PerspectiveState => ({
  name,
  position: 0,
  lag: 0,
  behindSeconds: 0,
  state: 'starting',
  parked: 0,
});
