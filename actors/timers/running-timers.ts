import { partitions } from '../../contracts/reaction-store.js';
import { TimerRunner, type TimerRunnerPorts } from './timer-runner.js';

/** The timers of one host: it fires those of the partitions whose leases it holds. */
export class RunningTimers {
  readonly names = Array.from({ length: partitions }, (_, part) => `timers/${part}`);
  readonly #runner: TimerRunner;
  #held: readonly number[] = [];

  constructor(ports: Omit<TimerRunnerPorts, 'parts'>) {
    this.#runner = new TimerRunner({ ...ports, parts: () => this.#held });
  }

  start(): void {
    this.#runner.start();
  }

  /** The leases that this host holds now. */
  hold(held: ReadonlySet<string>): void {
    const parts = this.names.flatMap((name, part) => (held.has(name) ? part : []));
    const isNew = parts.some((part) => !this.#held.includes(part));
    this.#held = parts;
    if (isNew) this.#runner.wake();
  }

  /** The log has grown. */
  wake(): void {
    if (this.#held.length > 0) this.#runner.wake();
  }

  stop(): Promise<void> {
    this.#held = [];
    return this.#runner.stop();
  }
}
