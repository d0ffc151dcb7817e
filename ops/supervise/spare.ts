import type { HostWorker } from './host-worker.js';

/** One process that has loaded the code and waits: what has crashed is replaced without waiting for that. */
export class Spare {
  #waiting: HostWorker | undefined;

  constructor(private readonly fork: () => HostWorker) {}

  /** The one that waits, else a new one. */
  take(): HostWorker {
    const worker = this.#waiting;
    this.#waiting = undefined;
    return worker === undefined || worker.hasEnded ? this.fork() : worker;
  }

  prepare(): void {
    if (this.#waiting === undefined || this.#waiting.hasEnded) this.#waiting = this.fork();
  }

  /** What it has loaded may be out of date, or nobody needs it any more. */
  async drop(): Promise<void> {
    const worker = this.#waiting;
    this.#waiting = undefined;
    worker?.kill('it is not needed');
    await worker?.ended;
  }
}
