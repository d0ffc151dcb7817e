import type { TimersMissed } from '../../contracts/events/process.js';
import type { ReactionStore, StoredTimer } from '../../contracts/reaction-store.js';
import type { Uuid } from '../../contracts/scalars.js';
import { log } from '../../runtime/logging/log.js';
import { timerLine } from '../../runtime/timers/timer-line.js';
import { Alarm } from '../follow/alarm.js';
import { Slots } from '../steps/slots.js';
import type { FiringOutcome } from './fire-timer.js';
import { missedAfterMs, MissedTimers } from './missed-timers.js';

export interface TimerRunnerPorts {
  readonly store: Pick<ReactionStore, 'dueTimers'>;
  /** The partitions that this host holds now. */
  readonly parts: () => readonly number[];
  readonly fire: (timer: StoredTimer) => Promise<FiringOutcome>;
  /** Whether requests should have the host for themselves. */
  readonly isBusy: () => boolean;
  /** Whether there are requests: what was missed is caught up with slowly then. */
  readonly isServing?: () => boolean;
  /** Called after each timer, with how late it was when it was read. */
  readonly fired?: (outcome: FiringOutcome, lateMs: number) => void;
  /** Called when this host has caught up with timers that no host fired in time. */
  readonly missed?: (missed: TimersMissed) => Promise<void>;
}

/** What else is due. It is looked for apart: timers do not wait for its answer. */
export interface DueWork {
  /** Starts what is due, and returns in how many milliseconds to look again. */
  look(): Promise<number>;
  /** This host holds these partitions from now on. */
  taken(parts: readonly number[]): Promise<void>;
  stop(): Promise<void>;
}

export const timerDefaults = {
  /** How many timers a host fires at once. */
  most: 128,
  /** How many that were missed, while there are requests. */
  mostBesideRequests: 8,
  /** The longest time between two looks: a notification may be lost. */
  pollMs: 10_000,
  /** The shortest time between two looks. */
  restMs: 20,
  /** A line whose timers all fire this long hangs: they are read past. */
  stuckAfterMs: 1_000,
  /** How long a timer waits that cannot be fired at the moment. */
  laterMs: 1_000,
  /** How long a stop waits for what is firing. Without its commit a timer is still there. */
  endWithinMs: 3_000,
};

/** So much longer than reading past the timers of full lines takes is waited before that is done again. */
const restShare = 10;

/**
 * Fires the timers of the partitions that this host holds, in the order of their due times. Those of one name and tenant
 * are a line, and no line has all slots.
 */
export class TimerRunner {
  /** By id, with the due time: a timer that was set again meanwhile is another one. */
  readonly #firing = new Map<Uuid, string>();
  /** Timers that could not be fired, and when to try again. They keep their slots. */
  readonly #later = new Map<Uuid, { readonly line: string; readonly until: number }>();
  readonly #slots: Slots;
  /** When the last timer of a line ended, other than by waiting, or the first one began. */
  readonly #movedAt = new Map<string, number>();
  readonly #missed = new MissedTimers();
  #isCatchingUp = false;
  /** Nothing but full lines was read: others may be behind them. */
  #isBlocked = false;
  /** When it may read past them. */
  #pastAfter = 0;
  readonly #alarm = new Alarm();
  readonly #othersAlarm = new Alarm();
  #stopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly ports: TimerRunnerPorts,
    private readonly settings: Readonly<typeof timerDefaults> = timerDefaults,
    private readonly others?: DueWork,
  ) {
    this.#slots = new Slots(settings.most);
  }

  start(): void {
    this.#running = this.#run();
  }

  /** The log has grown, so that a timer may have been set. */
  wake(): void {
    this.#alarm.ring();
    this.wakeOthers();
  }

  /** There is room for more of what else is due. */
  wakeOthers(): void {
    this.#othersAlarm.ring();
  }

  /** Resolves when the timers that are firing have ended, or hang. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { others } = this;
    const { endWithinMs } = this.settings;
    await Promise.all([
      this.#keepLooking('timers', () => this.#look(), this.#alarm),
      others && this.#keepLooking('effects', () => others.look(), this.#othersAlarm),
    ]);
    const othersEnded = others?.stop();
    const until = performance.now() + endWithinMs;
    while (this.#firing.size > 0 && performance.now() < until)
      await this.#alarm.sleep(until - performance.now());
    await Promise.all([this.#reportMissed([]).catch(() => undefined), othersEnded]);
  }

  async #keepLooking(what: string, look: () => Promise<number>, alarm: Alarm): Promise<void> {
    const { pollMs, restMs } = this.settings;
    while (!this.#stopped) {
      const nextMs = await look().catch((error: unknown) => {
        log.error({ err: error }, `${what} that are due cannot be read; they wait until they can`);
        return pollMs;
      });
      await new Promise((resolve) => setTimeout(resolve, restMs));
      await alarm.sleep(Math.min(nextMs, pollMs) - restMs);
    }
  }

  /** Starts what is due, and returns when the next one is. */
  async #look(): Promise<number> {
    const { store, parts, isBusy } = this.ports;
    const held = parts();
    this.#endWaits();
    if (isBusy() || this.#slots.free <= 0) return this.settings.restMs;
    const laterMs = this.#later.size > 0 ? this.settings.laterMs : Infinity;
    if (held.length === 0) return laterMs;
    const except = this.#except();
    const from = performance.now();
    // What is firing is still there until its commit.
    const limit = Math.max(this.#most, 2 * this.#firing.size);
    const { due, nextInMs } = await store.dueTimers(held, limit, except);
    this.#isCatchingUp = due[0] !== undefined && due[0].lateMs > missedAfterMs;
    const most = this.#most;
    const waiting = due.filter(({ id, dueAt }) => this.#firing.get(id) !== dueAt && !this.#later.has(id));
    const fired = waiting.filter((timer) => this.#firing.size < most && this.#fire(timer));
    if (except.length > 0) this.#pastAfter = performance.now() + restShare * (performance.now() - from);
    this.#isBlocked = except.length === 0 && waiting.length > 0 && fired.length === 0 && due.length >= limit;
    await this.#reportMissed(due);
    const mayBeMore = fired.length < waiting.length || due.length >= limit;
    return mayBeMore ? 0 : Math.min(laterMs, nextInMs ?? Infinity);
  }

  get #most(): number {
    const yields = this.#isCatchingUp && this.ports.isServing?.() === true;
    return yields ? this.settings.mostBesideRequests : this.settings.most;
  }

  #endWaits(): void {
    for (const [id, { line, until }] of this.#later) {
      if (until > performance.now()) continue;
      this.#later.delete(id);
      this.#slots.giveBack(line);
    }
  }

  /** The lines that get no more slots, if others wait behind their timers: these give none back, or fill what is read. */
  #except(): readonly string[] {
    const now = performance.now();
    if (this.#isBlocked && now >= this.#pastAfter) return this.#slots.full;
    const since = now - this.settings.stuckAfterMs;
    return this.#slots.full.filter((line) => (this.#movedAt.get(line) ?? 0) < since);
  }

  /** False: its line has no slot left. */
  #fire(timer: StoredTimer): boolean {
    const line = timerLine(timer);
    if (!this.#slots.mayTake(line)) return false;
    this.#slots.take(line);
    if (!this.#movedAt.has(line)) this.#movedAt.set(line, performance.now());
    this.#firing.set(timer.id, timer.dueAt);
    this.#missed.fires(timer);
    void this.ports
      .fire(timer)
      .catch((error: unknown): FiringOutcome => {
        log.error({ err: error, timer: timer.name }, 'a timer could not be fired; retrying');
        return 'later';
      })
      .then((outcome) => {
        this.ports.fired?.(outcome, timer.lateMs);
        this.#missed.fired(timer, outcome);
        if (this.#firing.get(timer.id) === timer.dueAt) this.#firing.delete(timer.id);
        const mustWake = this.#stopped || !this.#slots.mayTake(line);
        this.#ended(timer.id, line, outcome);
        if (mustWake || this.#firing.size >= this.settings.most / 2) this.#alarm.ring();
      });
    return true;
  }

  #ended(id: Uuid, line: string, outcome: FiringOutcome): void {
    if (outcome === 'later' && !this.#later.has(id)) {
      this.#later.set(id, { line, until: performance.now() + this.settings.laterMs });
      return;
    }
    if (this.#slots.giveBack(line) === 0) this.#movedAt.delete(line);
    else this.#movedAt.set(line, performance.now());
  }

  async #reportMissed(due: readonly StoredTimer[]): Promise<void> {
    const missed = this.#missed.caughtUp(due);
    if (missed === undefined) return;
    await this.ports.missed?.(missed);
    this.#missed.clear();
  }
}
