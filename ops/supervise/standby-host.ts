import type { HostProcess } from './host-process.js';

/** One process that has loaded the code and waits: what has crashed is replaced without waiting for that. */
export class StandbyHost {
  #waiting: HostProcess | undefined;

  constructor(private readonly fork: () => HostProcess) {}

  /** The one that waits, else a new one. */
  take(): HostProcess {
    const worker = this.#waiting;
    this.#waiting = undefined;
    return worker === undefined || worker.hasEnded ? this.fork() : worker;
  }

  prepare(): void {
    if (this.#waiting === undefined || this.#waiting.hasEnded) this.#waiting = this.fork();
  }

  /** What it has loaded may be out of date, or nobody needs it any more. */
  async discard(): Promise<void> {
    const worker = this.#waiting;
    this.#waiting = undefined;
    worker?.kill('it is not needed');
    await worker?.ended;
  }
}
