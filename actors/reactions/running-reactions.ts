import { type ActorRefFrom, createActor } from 'xstate';
import { partitions } from '../../contracts/reaction-store.js';
import { log } from '../../runtime/log.js';
import { thrownMessage } from '../../runtime/thrown.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import { shareOf, type WorkerLeases } from '../../runtime/reactions/worker-leases.js';
import type { CursorLog } from '../../runtime/reactions/cursor-log.js';
import type { Running } from '../supervisor/child.js';
import { stopOrphansOf } from '../supervisor/stop-orphaned-actors.js';
import { advanceIdle } from './advance-idle.js';
import { cursorMachine, type CurrentRun } from './cursor-machine.js';
import type { MovedInstance } from '../processes/process-step.js';
import type { CursorPorts } from './cursor-ports.js';
import type { Cursor } from './cursor-reader.js';
import type { EventFigures } from './event-figures.js';
import type { CursorWork } from '../steps/cursor-work.js';

export interface ReactionsPorts extends Omit<CursorPorts, 'log' | 'figures'> {
  readonly logOf: (work: CursorWork) => CursorLog;
  readonly figuresOf: (work: CursorWork) => EventFigures;
  readonly leases: WorkerLeases;
  readonly notifications: NotificationSource;
  readonly version: string;
  readonly moved?: ((instance: MovedInstance) => void) | undefined;
  readonly leaseMs: number;
  readonly renewMs: number;
}

/** How often an application without reactions looks for timers, if nothing is committed, or if much is. */
const sleepMs = 10_000;
const lookMs = 1_000;
/** How often cursors look at the store although nothing was notified. */
const lookAnywayMs = 10_000;
/** How often idle cursors store how far they have read. */
const advanceMs = 1_000;

/** What is shared out with the cursors, and has none of its own. */
interface LeasedRunner {
  readonly names: readonly string[];
  /** Whether it has something to do although no timer waits. */
  readonly hasSchedules: boolean;
  start(): void;
  /** Called when no newer version of the application runs any more. */
  setSchedules(isNewest: () => Promise<boolean>): Promise<void>;
  /** Called with all leases that this host holds now. */
  hold(held: ReadonlySet<string>): void;
  /** The log has grown. */
  wake(): void;
  stop(): Promise<void>;
}

/** The cursors of a reaction or process on this host. */
interface CursorStatus {
  readonly cursor: string;
  readonly name: string;
  readonly part: number;
  readonly state: string;
  readonly settledTo: number | undefined;
  readonly parked: number;
  readonly error?: string;
}

/** The cursors of a reaction or process, one for each partition. */
export const cursorNames = (kind: CursorWork['kind'], name: string) =>
  Array.from({ length: partitions }, (_, part) => ({ cursor: `${kind}/${name}/${part}`, name }));

interface RunningCursor extends Cursor {
  readonly current: CurrentRun;
  readonly actor: ActorRefFrom<typeof cursorMachine>;
}

/** The reactions and processes of one host: it runs the partitions whose leases it holds. */
export class RunningReactions {
  #cursors: readonly RunningCursor[] = [];
  #timer: NodeJS.Timeout | undefined;
  #share = 0;
  #history: string | undefined;
  #isTurning = false;
  #turnsAgain = false;
  #isStopped = false;
  /** There is nothing to run, so no leases are asked for. */
  #isAsleep = false;
  #lookedAt = -Infinity;
  #keysLookedAt = -Infinity;
  #advancing: NodeJS.Timeout | undefined;
  #isAdvancing = false;
  #schedulesSet: Promise<void> | undefined;
  #stopListening: (() => void) | undefined;
  #leaseFailure: string | undefined;

  constructor(
    private readonly ports: ReactionsPorts,
    private readonly works: readonly CursorWork[],
    private readonly timers: LeasedRunner,
  ) {}

  start(crashed: (error: unknown) => void): Running {
    this.#isStopped = false;
    this.#cursors = this.works.flatMap((work) => {
      const { logOf, figuresOf } = this.ports;
      const ports: CursorPorts = { ...this.ports, log: logOf(work), figures: figuresOf(work) };
      return cursorNames(work.kind, work.name).map(({ cursor }, part) =>
        this.#startCursor({ name: cursor, part, work }, ports, crashed),
      );
    });
    this.#stopListening = this.ports.notifications.subscribe((channel) => {
      if (channel === 'svc') this.#wake();
      else if (channel === 'svc_lease') {
        this.#look();
        void this.#turn();
      }
    });
    if (this.works.length > 0) this.#advancing = setInterval(() => void this.#advance(), advanceMs);
    this.timers.start();
    void this.#turn();
    return { stop: () => this.#stop() };
  }

  #wake(): void {
    for (const { actor } of this.#cursors) actor.send({ type: 'wake' });
    this.timers.wake();
    if (this.#isAsleep && performance.now() - this.#lookedAt > lookMs) void this.#turn();
  }

  #look(): void {
    this.#keysLookedAt = performance.now();
    for (const { actor } of this.#cursors) actor.send({ type: 'look' });
  }

  async #advance(): Promise<void> {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    await advanceIdle(
      this.#cursors.flatMap(({ current: { run } }) => run ?? []),
      this.ports.store,
    );
    this.#isAdvancing = false;
  }

  get #names(): readonly string[] {
    return [...this.#cursors.map(({ name }) => name), ...this.timers.names];
  }

  /** Why the leases could not be renewed, until they are. */
  get leaseFailure(): string | undefined {
    return this.#leaseFailure;
  }

  get statuses(): readonly CursorStatus[] {
    return this.#cursors.map(({ name: cursor, work, part, current: { run }, actor }) => {
      const { value, context } = actor.getSnapshot();
      return {
        ...{ cursor, name: work.name, part, state: value, settledTo: run?.line?.settledTo() },
        parked: run?.line?.parkedKeys.length ?? 0,
        ...(context.error === undefined ? {} : { error: context.error }),
      };
    });
  }

  #startCursor(cursor: Cursor, ports: CursorPorts, crashed: (error: unknown) => void): RunningCursor {
    const current: CurrentRun = { run: undefined, ended: Promise.resolve() };
    const actor = createActor(cursorMachine, { input: { ports, cursor, current } });
    actor.subscribe({
      error: (error: unknown) => {
        stopOrphansOf(actor);
        crashed(error);
      },
    });
    return { ...cursor, current, actor: actor.start() };
  }

  /** Renews the leases; a share that has changed is asked for at once. */
  async #turn(): Promise<void> {
    this.#turnsAgain = true;
    if (this.#isTurning || this.#isStopped) return;
    this.#isTurning = true;
    this.#turnsAgain = false;
    clearTimeout(this.#timer);
    const waitMs = await this.#renewOrRetry();
    this.#isTurning = false;
    const mustAgain = this.#turnsAgain;
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#turn(), mustAgain ? 0 : waitMs);
  }

  /** Returns when to renew again. */
  async #renewOrRetry(): Promise<number> {
    try {
      const waitMs = await this.#renew();
      this.#leaseFailure = undefined;
      return waitMs;
    } catch (err) {
      this.#leaseFailure = thrownMessage(err);
      log.warn({ err }, 'the leases of the reactions could not be renewed');
      return this.ports.renewMs / 2;
    }
  }

  async #renew(): Promise<number> {
    const { leases, version, leaseMs, renewMs } = this.ports;
    const names = this.#names;
    if (await this.#hasNothingToDo()) return sleepMs;
    const { held, workers, freeInMs, history } = await leases.turn(names, this.#share, leaseMs);
    if (this.#isStopped) return 0;
    if (this.#history !== undefined && history !== this.#history) this.#dropCursors();
    this.#history = history;
    for (const { name, actor } of this.#cursors) actor.send({ type: held.has(name) ? 'leased' : 'lost' });
    if (performance.now() - this.#keysLookedAt > lookAnywayMs) this.#look();
    this.timers.hold(held);
    const share = shareOf(names.length, workers, version);
    const hasChanged = share !== this.#share || held.size > share;
    this.#share = share;
    this.#setSchedules();
    if (hasChanged) return 0;
    return held.size < share ? Math.min(renewMs, freeInMs + 10 + Math.random() * 50) : renewMs;
  }

  /** What is known of them may be lost with the server that held it. */
  #dropCursors(): void {
    for (const { actor } of this.#cursors) actor.send({ type: 'lost' });
  }

  /** An older version leaves them to the newer one. */
  #setSchedules(): void {
    if (this.#share === 0) this.#schedulesSet = undefined;
    else
      this.#schedulesSet ??= this.timers
        .setSchedules(() => this.#isNewest())
        .catch((err: unknown) => {
          log.warn({ err }, 'the timers of the schedules could not be set; it is tried again');
          this.#schedulesSet = undefined;
        });
  }

  async #isNewest(): Promise<boolean> {
    const { leases, version, leaseMs } = this.ports;
    return shareOf(1, await leases.workers(leaseMs), version) > 0;
  }

  /** An application without reactions has timers when a receptor sets one. */
  async #hasNothingToDo(): Promise<boolean> {
    const now = performance.now();
    if (
      this.works.length > 0 ||
      this.timers.hasSchedules ||
      (!this.#isAsleep && now - this.#lookedAt < sleepMs)
    )
      return false;
    this.#lookedAt = now;
    const { reactions, leases } = this.ports;
    const wasAsleep = this.#isAsleep;
    this.#isAsleep = !(await reactions.hasTimers());
    if (!this.#isAsleep || wasAsleep || this.#share === 0) return this.#isAsleep;
    this.#share = 0;
    this.timers.hold(new Set());
    await leases.release(this.#names);
    return true;
  }

  async #stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#advancing);
    this.#stopListening?.();
    for (const { actor } of this.#cursors) actor.stop();
    await Promise.all([
      this.timers.stop(),
      this.#schedulesSet,
      ...this.#cursors.map(({ current }) => current.ended),
    ]);
    // If the store does not answer, the leases expire.
    await this.ports.leases.release(this.#names).catch(() => undefined);
  }
}
