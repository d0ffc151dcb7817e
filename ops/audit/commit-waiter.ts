import { Notifications, type SessionSource } from '../../runtime/database/notifications.js';

const pollMs = 1000;

/** Resolves at every notified commit, and at intervals in case a notification was lost. */
export class CommitWaiter {
  readonly #unsubscribe: () => void;
  #wake = (): void => undefined;
  #notified = false;

  constructor(
    database: SessionSource,
    private readonly signal: AbortSignal,
  ) {
    this.#unsubscribe = new Notifications(database).subscribe((channel) => {
      if (channel !== 'svc') return;
      this.#notified = true;
      this.#wake();
    });
  }

  async next(): Promise<void> {
    if (!this.#notified && !this.signal.aborted) await this.#untilNotified();
    this.#notified = false;
  }

  stop(): void {
    this.#unsubscribe();
  }

  async #untilNotified(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      this.signal.addEventListener('abort', this.#wake, { once: true });
    });
    this.signal.removeEventListener('abort', this.#wake);
    this.#wake = () => undefined;
  }
}
