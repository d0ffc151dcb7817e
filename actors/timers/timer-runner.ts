import type { TimersMissed } from '../../contracts/events/process.js';
import type { ReactionStore, StoredTimer } from '../../contracts/reaction-store.js';
import type { Uuid } from '../../contracts/scalars.js';
import { log } from '../../runtime/log.js';
import type { FiringOutcome } from './fire-timer.js';
import { MissedTimers } from './missed-timers.js';

export interface TimerRunnerPorts {
  readonly store: Pick<ReactionStore, 'dueTimers'>;
  /** The partitions that this host holds now. */
  readonly parts: () => readonly number[];
  readonly fire: (timer: StoredTimer) => Promise<FiringOutcome>;
  /** Whether requests should have the host for themselves. */
  readonly isBusy: () => boolean;
  /** Called after each timer, with how late it was when it was read. */
  readonly fired?: (outcome: FiringOutcome, lateMs: number) => void;
  /** Called when this host has caught up with timers that no host fired in time. */
  readonly missed?: (missed: TimersMissed) => Promise<void>;
}

interface TimerRunnerSettings {
  /** How many timers a host fires at once. */
  readonly most: number;
  /** The longest time between two looks: a notification may be lost. */
  readonly pollMs: number;
  /** The shortest time between two looks. */
  readonly restMs: number;
  /** How long a timer waits that cannot be fired at the moment. */
  readonly laterMs: number;
}

const defaults: TimerRunnerSettings = { most: 128, pollMs: 10_000, restMs: 20, laterMs: 1_000 };

/** Fires the timers of the partitions that this host holds, in the order of their due times. */
export class TimerRunner {
  /** By id, with the due time: a timer that was set again meanwhile is another one. */
  readonly #firing = new Map<Uuid, string>();
  /** Timers that could not be fired, and when to try again. */
  readonly #later = new Map<Uuid, number>();
  readonly #missed = new MissedTimers();
  #wakeUp: (() => void) | undefined;
  #woken = false;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly ports: TimerRunnerPorts,
    private readonly settings: TimerRunnerSettings = defaults,
  ) {}

  start(): void {
    this.#running = this.#run();
  }

  /** The log has grown, so that a timer may have been set. */
  wake(): void {
    this.#woken = true;
    this.#wakeUp?.();
  }

  /** Resolves when the timers that are firing have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { pollMs, restMs } = this.settings;
    while (!this.#stopped) {
      const nextMs = await this.#look().catch((error: unknown) => {
        log.error({ err: error }, 'timers cannot be read; they are late until they can');
        return pollMs;
      });
      await this.#sleep(Math.max(restMs, Math.min(nextMs, pollMs)), restMs);
    }
    while (this.#firing.size > 0) await this.#sleep(pollMs, 0);
    await this.#reportMissed([]).catch(() => undefined);
  }

  /** Starts what is due, and returns when the next one is. */
  async #look(): Promise<number> {
    const { store, parts, isBusy } = this.ports;
    const held = parts();
    const room = this.settings.most - this.#firing.size;
    if (isBusy() || room <= 0) return this.settings.restMs;
    const laterMs = this.#later.size > 0 ? this.settings.laterMs : Infinity;
    if (held.length === 0) return laterMs;
    // What is firing is still there until its commit.
    const { due, nextInMs } = await store.dueTimers(held, this.settings.most);
    const waiting = due.filter((timer) => this.#mayFire(timer));
    for (const timer of waiting.slice(0, room)) this.#fire(timer);
    await this.#reportMissed(due);
    return waiting.length >= room ? 0 : Math.min(laterMs, nextInMs ?? Infinity);
  }

  #mayFire({ id, dueAt }: StoredTimer): boolean {
    if (this.#firing.get(id) === dueAt) return false;
    const later = this.#later.get(id);
    if (later !== undefined && later > performance.now()) return false;
    this.#later.delete(id);
    return true;
  }

  #fire(timer: StoredTimer): void {
    this.#firing.set(timer.id, timer.dueAt);
    this.#missed.fires(timer);
    void this.ports
      .fire(timer)
      .catch((error: unknown): FiringOutcome => {
        log.error({ err: error, timer: timer.name }, 'a timer could not be fired; it is tried again');
        return 'later';
      })
      .then((outcome) => {
        this.ports.fired?.(outcome, timer.lateMs);
        this.#missed.fired(timer, outcome);
        if (outcome === 'later') this.#later.set(timer.id, performance.now() + this.settings.laterMs);
        if (this.#firing.get(timer.id) === timer.dueAt) this.#firing.delete(timer.id);
        if (this.#stopped || this.#firing.size >= this.settings.most / 2) this.#wakeUp?.();
      });
  }

  async #reportMissed(due: readonly StoredTimer[]): Promise<void> {
    const missed = this.#missed.caughtUp(due);
    if (missed === undefined) return;
    await this.ports.missed?.(missed);
    this.#missed.clear();
  }

  async #sleep(ms: number, restMs: number): Promise<void> {
    await this.#pause(restMs, false);
    if (ms > restMs && !this.#woken) await this.#pause(ms - restMs, true);
    this.#woken = false;
  }

  #pause(ms: number, endsWithWakeUp: boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#wakeUp = undefined;
        resolve();
      };
      const timer = setTimeout(end, Math.min(ms, 2 ** 31 - 1));
      if (endsWithWakeUp) this.#wakeUp = end;
    });
  }
}
