import { partitions } from '../../contracts/reaction-store.js';
import { log } from '../../runtime/log.js';
import { TimerRunner, type TimerRunnerPorts } from './timer-runner.js';

interface RunningTimersPorts extends Omit<TimerRunnerPorts, 'parts'> {
  readonly hasSchedules: boolean;
  /** Sets the timers of the schedules. */
  readonly setSchedules: (isNewest: () => Promise<boolean>) => Promise<void>;
  /** Tries again what another version could not take. */
  readonly tryParkedAgain: (parts: readonly number[]) => Promise<void>;
}

/** The timers of one host: it fires those of the partitions whose leases it holds. */
export class RunningTimers {
  readonly names = Array.from({ length: partitions }, (_, part) => `timers/${part}`);
  readonly #runner: TimerRunner;
  #held: readonly number[] = [];

  constructor(private readonly ports: RunningTimersPorts) {
    this.#runner = new TimerRunner({ ...ports, parts: () => this.#held });
  }

  get hasSchedules(): boolean {
    return this.ports.hasSchedules;
  }

  setSchedules(isNewest: () => Promise<boolean>): Promise<void> {
    return this.ports.setSchedules(isNewest);
  }

  start(): void {
    this.#runner.start();
  }

  /** The leases that this host holds now. */
  hold(held: ReadonlySet<string>): void {
    const parts = this.names.flatMap((name, part) => (held.has(name) ? part : []));
    const added = parts.filter((part) => !this.#held.includes(part));
    this.#held = parts;
    if (added.length > 0) void this.#take(added);
  }

  async #take(parts: readonly number[]): Promise<void> {
    this.#runner.wake();
    try {
      await this.ports.tryParkedAgain(parts);
    } catch (err) {
      log.warn({ err }, 'parked timers could not be looked up; they are when their partition is taken again');
    }
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
