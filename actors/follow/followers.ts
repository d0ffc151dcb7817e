import type { HostLeases, HostTurn } from '../../runtime/leases/host-leases.js';
import { withTimeout } from '../../runtime/lang/with-timeout.js';
import { Follower, type Observer } from './follower.js';
import type { FollowerSettings, FollowerWork } from './follower-machine.js';

export type FollowerLeases = Pick<HostLeases, 'ask' | 'giveBack' | 'join' | 'notifications'>;

interface Member {
  /** Called with each answer about the leases, before the followers are. */
  readonly answered?: (turn: HostTurn) => void;
  /** Perspectives: the same question asks where they are. */
  readonly tables?: () => readonly string[];
}

/** A store that does not answer must not keep the host from stopping. */
const maxStopMs = 4_000;

/** The followers of one kind on this host: hosts share their leases out. */
export class Followers<Work extends FollowerWork> {
  readonly #all = new Set<Follower<Work>>();
  #stopListening: (() => void) | undefined;
  #leaveLeases: (() => Promise<void>) | undefined;

  constructor(
    private readonly leases: FollowerLeases,
    private readonly member: Member = {},
  ) {}

  get all(): readonly Follower<Work>[] {
    return [...this.#all];
  }

  start(work: Work, settings: FollowerSettings, observer: Observer): Follower<Work> {
    const follower: Follower<Work> = new Follower(work, this.leases, settings, {
      ...observer,
      crashed: (error) => {
        this.#all.delete(follower);
        observer.crashed(error);
      },
    });
    this.#all.add(follower);
    if (this.#leaveLeases !== undefined) this.leases.ask();
    return follower;
  }

  /** From now on they take part when the leases are shared out; a second call changes nothing. */
  join(): void {
    if (this.#leaveLeases !== undefined) return;
    const { answered, ...asked } = this.member;
    this.#stopListening = this.leases.notifications.subscribe((channel) => {
      if (channel === 'svc') for (const follower of this.#all) follower.wake();
    });
    this.#leaveLeases = this.leases.join({
      ...asked,
      names: () => this.all.flatMap(({ leaseNames }) => leaseNames),
      renewed: (turn) => {
        answered?.(turn);
        for (const follower of this.#all) follower.renewed(turn);
      },
    });
  }

  /** Waits for current runs, and gives the leases back. */
  async stop(): Promise<void> {
    this.#stopListening?.();
    const stopped = Promise.all(this.all.map((follower) => follower.stop())).then(() =>
      this.#leaveLeases?.(),
    );
    await withTimeout(maxStopMs, stopped).catch(() => undefined);
  }
}

/** Starts a follower that is the only one of its kind on this host. */
export function startFollower<Work extends FollowerWork>(
  work: Work,
  leases: FollowerLeases,
  settings: FollowerSettings,
  crashed: (error: unknown) => void = () => undefined,
): { readonly follower: Follower<Work>; readonly stop: () => Promise<void> } {
  const followers = new Followers<Work>(leases);
  const stop = (): Promise<void> => followers.stop();
  const follower = followers.start(work, settings, {
    crashed: (error) => {
      void stop();
      crashed(error);
    },
  });
  followers.join();
  return { follower, stop };
}
