import { Notifications, type SessionSource } from '../../runtime/database/notifications.js';

const pollMs = 1000;

/** Rings at every commit that it hears of, and now and then in case it did not hear one. */
export class Bell {
  readonly #unsubscribe: () => void;
  #ring = (): void => undefined;
  #rang = false;

  constructor(
    database: SessionSource,
    private readonly signal: AbortSignal,
  ) {
    this.#unsubscribe = new Notifications(database).subscribe((channel) => {
      if (channel !== 'svc') return;
      this.#rang = true;
      this.#ring();
    });
  }

  async next(): Promise<void> {
    if (!this.#rang && !this.signal.aborted) await this.#rung();
    this.#rang = false;
  }

  stop(): void {
    this.#unsubscribe();
  }

  async #rung(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      this.#ring = () => {
        clearTimeout(timer);
        resolve();
      };
      this.signal.addEventListener('abort', this.#ring, { once: true });
    });
    this.signal.removeEventListener('abort', this.#ring);
    this.#ring = () => undefined;
  }
}
