import { type ActorRefFrom, createActor } from 'xstate';
import type { HostLeases, HostTurn } from '../../runtime/leases/host-leases.js';
import { stopOrphansOf } from '../supervisor/stop-orphaned-actors.js';
import {
  followerMachine,
  type FollowerSettings,
  type FollowerWork,
  type RunEnd,
} from './follower-machine.js';

export interface Observer {
  crashed(error: unknown): void;
  /** Its state has changed, or what it knows. */
  changed?(): void;
}

/** A work on this host, which runs while this host holds its lease. */
export class Follower<Work extends FollowerWork = FollowerWork> {
  readonly #actor: ActorRefFrom<typeof followerMachine>;
  #ended: Promise<unknown> = Promise.resolve();
  #isInReach: boolean;
  #hasStopped = false;

  constructor(
    readonly work: Work,
    private readonly leases: Pick<HostLeases, 'ask' | 'giveBack'>,
    settings: FollowerSettings,
    observer: Observer,
  ) {
    this.#isInReach = work.probe === undefined;
    this.#actor = createActor(followerMachine, {
      input: {
        work,
        settings,
        run: (signal) => this.#run(signal),
        askForLease: () => this.#askForLease(),
        giveLeaseBack: () => this.#giveLeaseBack(),
      },
    });
    this.#actor.subscribe({
      next: () => observer.changed?.(),
      error: (error: unknown) => {
        this.#hasStopped = true;
        stopOrphansOf(this.#actor);
        observer.crashed(error);
      },
    });
    this.#actor.start();
  }

  /** The leases that it could use: none while the broker is out of reach. */
  get leaseNames(): readonly string[] {
    return this.#isInReach ? [this.work.lease] : [];
  }

  get state(): string {
    return this.#hasStopped ? 'stopped' : this.#actor.getSnapshot().value;
  }

  /** Why the last run failed; undefined after one that did not. */
  get failure(): string | undefined {
    return this.#actor.getSnapshot().context.error;
  }

  get holdsLease(): boolean {
    return !this.#hasStopped && this.#actor.getSnapshot().hasTag('leased');
  }

  /** The broker is out of reach, not only asked for the first time. */
  get isOutOfReach(): boolean {
    return !this.#isInReach && this.#actor.getSnapshot().context.failures > 0;
  }

  /** The log has grown. Under load there are many commits: one that knows already gets no further message. */
  wake(): void {
    const { value, context } = this.#actor.getSnapshot();
    const isIdle = value !== 'running' && value !== 'resting';
    if (isIdle || !context.woken || (value === 'running' && this.work.wake !== undefined))
      this.#actor.send({ type: 'wake' });
  }

  /** Called with every answer of the store about the leases of this host. */
  renewed({ held, hasGrown }: Pick<HostTurn, 'held' | 'hasGrown'>): void {
    if (hasGrown) this.wake();
    this.#actor.send({ type: held.has(this.work.lease) ? 'leased' : 'lost' });
  }

  lose(): void {
    this.#actor.send({ type: 'lost' });
  }

  /** Waits for the current run. */
  async stop(): Promise<void> {
    this.#hasStopped = true;
    this.#actor.stop();
    await this.#ended;
  }

  /** Two runs at once would overtake each other. */
  #run(signal: AbortSignal): Promise<RunEnd> {
    const ended = this.#ended.then(() => (signal.aborted ? 'overtaken' : this.work.run(signal)));
    this.#ended = ended.catch(() => undefined);
    return ended;
  }

  #askForLease(): void {
    this.#isInReach = true;
    this.leases.ask();
  }

  #giveLeaseBack(): void {
    this.#isInReach = false;
    void this.leases.giveBack([this.work.lease]);
  }
}
