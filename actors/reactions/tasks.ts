import { withTimeout } from '../../runtime/lang/with-timeout.js';

/** What runs at the same time as a loop. */
export class Tasks {
  readonly #running = new Set<Promise<void>>();

  constructor(
    private readonly failed: (error: unknown) => void,
    private readonly ended: () => void,
  ) {}

  run(task: Promise<void>): void {
    const settled = task
      .catch((error: unknown) => this.failed(error))
      .finally(() => {
        this.#running.delete(settled);
        this.ended();
      });
    this.#running.add(settled);
  }

  /** Resolves when all have ended, or after this time. */
  async allEnded(withinMs: number): Promise<void> {
    await withTimeout(withinMs, Promise.allSettled(this.#running)).catch(() => undefined);
  }
}
