import { Problem } from '../../contracts/problems.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { Database } from '../database/database.js';
import type { NotificationSource } from '../database/notifications.js';
import { log } from '../logging/log.js';
import type { FoldRules } from '../perspectives/fold/fold.js';
import { LiveSource } from './live-source.js';
import { LiveTail } from './live-tail.js';
import type { Watcher, Watching } from './watcher.js';

interface LivePorts {
  readonly database: Pick<Database, 'rows'>;
  readonly notifications: NotificationSource;
  readonly upcasters?: Upcasters | undefined;
}

/** The watched perspectives of a host: one tail for each, as long as someone watches it. */
export class LiveModels {
  readonly #tails = new Map<string, RunningTail>();
  #isStopped = false;

  constructor(private readonly ports: LivePorts) {}

  watch(rules: FoldRules, watcher: Watcher): Watching {
    if (this.#isStopped) throw new Problem('draining');
    const { table } = rules.table;
    const tail = this.#tails.get(table) ?? this.#start(rules);
    return tail.watch(watcher);
  }

  stop(): void {
    this.#isStopped = true;
    for (const tail of this.#tails.values()) tail.stop();
  }

  #start(rules: FoldRules): RunningTail {
    const { table, name } = rules.table;
    const { database, notifications, upcasters } = this.ports;
    const source = new LiveSource(database, rules, upcasters);
    const tail = new RunningTail(name, new LiveTail({ database, source, rules }));
    this.#tails.set(table, tail);
    const unsubscribe = notifications.subscribe((channel) => {
      if (channel === 'svc' || channel === 'svc_lease') tail.wake();
    });
    void tail.run(() => {
      unsubscribe();
      this.#tails.delete(table);
    });
    return tail;
  }
}

/** While events are not folded yet; the perspective may run on another host, which does not report its progress. */
const busyMs = 20;
/** A rebuild of some streams notifies nobody. */
const idleMs = 1_000;

class RunningTail {
  #isStopped = false;
  #isDue = false;
  #wake: (() => void) | undefined;

  constructor(
    private readonly name: string,
    private readonly tail: LiveTail,
  ) {}

  watch(watcher: Watcher): Watching {
    const watching = this.tail.join(watcher);
    this.wake();
    return watching;
  }

  wake(): void {
    this.#isDue = true;
    this.#wake?.();
  }

  stop(): void {
    this.#isStopped = true;
    this.wake();
  }

  /** Until nobody watches anymore. */
  async run(ended: () => void): Promise<void> {
    // The first watcher joins in this turn of the loop.
    await Promise.resolve();
    while (!this.#isStopped && !this.tail.isIdle) {
      this.#isDue = false;
      const isBusy = await this.#round();
      if (isBusy || this.#isDue) await this.#pause(busyMs);
      else await this.#pause(idleMs, true);
    }
    ended();
  }

  /** Watchers wait while the store is away: they miss nothing. */
  async #round(): Promise<boolean> {
    try {
      return await this.tail.round();
    } catch (err) {
      log.warn({ err, perspective: this.name }, 'the changes of a perspective could not be read; retrying');
      await this.#pause(idleMs);
      return true;
    }
  }

  #pause(ms: number, canWake = false): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms).unref();
      if (canWake || this.#isStopped) this.#wake = end;
    });
  }
}
