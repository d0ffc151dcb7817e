import type { Long } from '../../contracts/scalars.js';
import type { PerspectiveStanding } from '../../runtime/leases/postgres-leases.js';
import type { PerspectiveState } from '../../runtime/perspectives/service-perspectives.js';
import type { Child, Running } from '../supervisor/child.js';
import type { Follower } from '../follow/follower.js';
import type { Followers } from '../follow/followers.js';
import { followerDefaults, type FollowerSettings } from '../follow/follower-machine.js';
import { aheadOfLogProblem } from './ahead-of-log-problem.js';
import type { RoundPorts, RoundSettings } from './perspective-round.js';
import { PerspectiveWork } from './perspective-work.js';

export interface RunnerSettings extends RoundSettings, FollowerSettings {}

export const runnerDefaults: RunnerSettings = { ...followerDefaults, pageSize: 1_000, attempts: 3 };

interface RunnerOptions {
  readonly ports: RoundPorts;
  readonly settings: RunnerSettings;
  readonly followers: Followers<PerspectiveWork>;
  /** The cursor has moved. */
  moved(table: string, position: number): void;
}

/** A perspective on this host, and what is known of it while another host runs it. */
export class PerspectiveRunner implements Child {
  #follower: Follower<PerspectiveWork> | undefined;
  #standing: PerspectiveStanding | undefined;
  #behindSince: number | undefined;

  constructor(private readonly options: RunnerOptions) {}

  get name(): string {
    return `${this.options.ports.table.name} perspective`;
  }

  /** Each start begins without a lease and without knowledge of the last run. */
  start(crashed: (error: unknown) => void): Running {
    const { ports, settings, followers } = this.options;
    const work = new PerspectiveWork(ports, settings);
    const follower = followers.start(work, settings, {
      changed: () => this.#moved(work),
      crashed: (error) => {
        this.#follower = undefined;
        crashed(error);
      },
    });
    this.#follower = follower;
    return { stop: () => follower.stop() };
  }

  get table(): string {
    return this.options.ports.table.table;
  }

  /** Called before its follower gets the same answer. */
  noteStanding(standing: PerspectiveStanding, isHeld: boolean): void {
    this.#standing = standing;
    const { position, head, released, hasUnreportedRewinds } = standing;
    if (position >= head) this.#behindSince = undefined;
    else this.#behindSince ??= performance.now();
    if (this.#follower === undefined || !isHeld) return;
    const { work, state } = this.#follower;
    work.progress.head = Math.max(work.progress.head, head);
    if (state === 'withoutLease' || released || hasUnreportedRewinds) work.repair();
  }

  get state(): PerspectiveState {
    const ours = this.#loaded;
    const position = Math.max(ours?.position ?? 0, this.#standing?.position ?? 0);
    const head = Math.max(ours?.head ?? 0, this.#standing?.head ?? 0);
    const { state, error = this.#aheadOfLog() } = this.#machineState();
    const notServed = this.#standing?.notServed;
    return {
      name: this.options.ports.table.name,
      position,
      lag: Math.max(0, head - position),
      behindSeconds: this.#behindSince === undefined ? 0 : (performance.now() - this.#behindSince) / 1_000,
      state: notServed === undefined ? state : 'failed',
      parked: ours?.parked.size ?? this.#standing?.parked ?? 0,
      ...(error === undefined ? {} : { error }),
      ...(notServed === undefined ? {} : { notServed }),
    };
  }

  /** Undefined while another host runs it. */
  get hasParked(): boolean | undefined {
    const parked = this.#loaded?.parked;
    return parked && parked.size > 0;
  }

  /** The store shows a write a moment before its round ends: the state is complete only then. */
  async roundEnded(position: Long): Promise<void> {
    const progress = this.#loaded;
    if (progress !== undefined && progress.position < position) await progress.round;
  }

  /** What is known of it, while this host runs it. */
  get #loaded(): PerspectiveWork['progress'] | undefined {
    const progress = this.#follower?.work.progress;
    return progress?.isLoaded === true ? progress : undefined;
  }

  #machineState(): { readonly state: string; readonly error?: string | undefined } {
    if (this.#follower === undefined) return { state: 'crashed' };
    const { work, state, failure: error } = this.#follower;
    return { state: shownAs[state] ?? work.state, error };
  }

  /** Another host runs the perspective and may not notice: every host compares cursor and head. */
  #aheadOfLog(): string | undefined {
    if (this.#standing === undefined || this.#standing.position <= this.#standing.head) return undefined;
    return aheadOfLogProblem(this.options.ports.table.name, this.#standing.position, this.#standing.head)
      .message;
  }

  #moved({ progress: { isLoaded, position, head } }: PerspectiveWork): void {
    if (!isLoaded) return;
    if (position >= head) this.#behindSince = undefined;
    this.options.moved(this.table, position);
  }
}

/** What users read for a state of the follower; while it runs, what it does. */
const shownAs: Readonly<Record<string, string>> = {
  withoutLease: 'withoutLease',
  overtaken: 'withoutLease',
  resting: 'live',
  waiting: 'live',
  failed: 'failed',
};

/** The state before the table exists. */
export const startingState = (name: string): PerspectiveState => ({
  name,
  position: 0,
  lag: 0,
  behindSeconds: 0,
  state: 'starting',
  parked: 0,
});
