import type { HostProcess } from './host-process.js';

/** A process that has loaded the code and waits, so that a crashed host is replaced without loading time. */
export class StandbyHost {
  #waiting: HostProcess | undefined;

  constructor(private readonly fork: () => HostProcess) {}

  /** The waiting process, or a new one. */
  take(): HostProcess {
    const worker = this.#waiting;
    this.#waiting = undefined;
    return worker === undefined || worker.hasEnded ? this.fork() : worker;
  }

  prepare(): void {
    if (this.#waiting === undefined || this.#waiting.hasEnded) this.#waiting = this.fork();
  }

  /** Discards the standby: its code may be out of date, or it is no longer needed. */
  async discard(): Promise<void> {
    const worker = this.#waiting;
    this.#waiting = undefined;
    worker?.kill('it is no longer needed');
    await worker?.ended;
  }
}
