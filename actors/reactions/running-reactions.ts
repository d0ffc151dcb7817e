import { partitions } from '../../contracts/reaction-store.js';
import type { HostTurn } from '../../runtime/leases/host-leases.js';
import type { LogReader } from '../../runtime/log/log-entry.js';
import { StagedStep } from '../../runtime/unit/staged-step.js';
import { followerDefaults } from '../follow/follower-machine.js';
import { type FollowerLeases, Followers } from '../follow/followers.js';
import type { CursorWork } from '../steps/cursor-work.js';
import type { Running } from '../supervisor/child.js';
import type { CursorPorts } from './cursor-ports.js';
import type { EventFigures } from './event-figures.js';
import { FollowedCursor } from './followed-cursor.js';

export interface ReactionsPorts extends Omit<CursorPorts, 'log' | 'figures'> {
  readonly logOf: (work: CursorWork) => LogReader;
  readonly figuresOf: (work: CursorWork) => EventFigures;
  readonly leases: FollowerLeases;
}

/** What the partitions of a reaction or process do on this host. */
export interface ReactionFollowers extends Pick<CursorWork, 'kind' | 'name'> {
  /** How many are in each state. */
  readonly states: Readonly<Record<string, number>>;
  /** Why one of them has failed. */
  readonly error?: string | undefined;
}

/** How often cursors look for released keys although nothing was notified. */
const lookAnywayMs = 10_000;
/** How often idle cursors store how far they have read. */
const advanceMs = 1_000;

/** The cursors of a reaction or process, one for each partition. */
export const cursorNames = (kind: CursorWork['kind'], name: string) =>
  Array.from({ length: partitions }, (_, part) => ({ cursor: `${kind}/${name}/${part}`, name }));

/** The reactions and processes of one host: it runs the partitions whose leases it holds. */
export class RunningReactions {
  readonly #followers: Followers<FollowedCursor>;
  #history: string | undefined;
  #keysLookedAt = -Infinity;
  #advancing: NodeJS.Timeout | undefined;
  #isAdvancing = false;
  #stopListening: (() => void) | undefined;

  constructor(
    private readonly ports: ReactionsPorts,
    private readonly works: readonly CursorWork[],
  ) {
    this.#followers = new Followers(ports.leases, { answered: (turn) => this.#answered(turn) });
  }

  start(crashed: (error: unknown) => void): Running {
    const { logOf, figuresOf, leases } = this.ports;
    for (const work of this.works) {
      const ports: CursorPorts = { ...this.ports, log: logOf(work), figures: figuresOf(work) };
      for (const [part, { cursor: name }] of cursorNames(work.kind, work.name).entries())
        this.#followers.start(new FollowedCursor(ports, { name, part, work }), followerDefaults, { crashed });
    }
    this.#stopListening = leases.notifications.subscribe((channel) => {
      if (channel === 'svc_lease') this.#look();
    });
    if (this.works.length > 0) this.#advancing = setInterval(() => void this.#advance(), advanceMs);
    this.#followers.join();
    return { stop: () => this.#stop() };
  }

  /** How far the cursors have settled that this host runs, by their names. */
  get settled(): ReadonlyMap<string, number> {
    return new Map(
      this.#followers.all.flatMap(({ work: { name, current } }) => {
        const settledTo = current?.line?.settledTo();
        return settledTo === undefined ? [] : [[name, settledTo] as const];
      }),
    );
  }

  get followers(): readonly ReactionFollowers[] {
    return this.works.map(({ kind, name }) => {
      const own = this.#followers.all.filter(({ work: { of } }) => of.kind === kind && of.name === name);
      const states: Record<string, number> = {};
      for (const { state } of own) states[state] = (states[state] ?? 0) + 1;
      return { kind, name, states, error: own.find(({ state }) => state === 'failed')?.failure };
    });
  }

  #look(): void {
    this.#keysLookedAt = performance.now();
    for (const { work } of this.#followers.all) work.look();
  }

  /** Stores how far the idle cursors have read, all in one unit, so that their lag is true. */
  async #advance(): Promise<void> {
    if (this.#isAdvancing) return;
    const idle = this.#followers.all.flatMap(({ work: { current: run } }) => {
      const mark = run?.idleMark();
      return run === undefined || mark === undefined ? [] : [{ run, mark }];
    });
    if (idle.length === 0) return;
    this.#isAdvancing = true;
    try {
      await this.ports.store.commit(new StagedStep().unit({ handled: idle.map(({ mark }) => mark) }));
    } catch {
      // It does not say which of them another host has taken.
      for (const { run, mark } of idle) run.advance(mark);
    }
    this.#isAdvancing = false;
  }

  #answered({ history, head }: HostTurn): void {
    const isReplaced = this.#history !== undefined && history !== this.#history;
    this.#history = history;
    for (const follower of this.#followers.all) {
      // What is known of it may be lost with the server that held it.
      if (isReplaced) follower.lose();
      // A page that another cursor had read may have ended before the head.
      else if ((follower.work.current?.line?.read ?? head) < head) follower.wake();
    }
    if (performance.now() - this.#keysLookedAt > lookAnywayMs) this.#look();
  }

  async #stop(): Promise<void> {
    clearInterval(this.#advancing);
    this.#stopListening?.();
    await this.#followers.stop();
  }
}
