import type { Database, Session } from '../../runtime/database/database.js';

const pollMs = 1000;

/** Rings at every commit that it hears of, and now and then in case it did not hear one. */
export class Bell {
  #session: Session | undefined;
  #ring = (): void => undefined;
  #rang = false;

  constructor(
    private readonly database: Database,
    private readonly signal: AbortSignal,
  ) {}

  async next(): Promise<void> {
    await this.#listen();
    if (this.#rang || this.signal.aborted) {
      this.#rang = false;
      return;
    }
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
    this.#rang = false;
  }

  stop(): void {
    this.#session?.release(true);
  }

  async #listen(): Promise<void> {
    if (this.#session !== undefined) return;
    const session = await this.database.session();
    this.#session = session;
    void session.ended.then(() => {
      if (this.#session === session) this.#session = undefined;
    });
    session.onNotification(() => {
      this.#rang = true;
      this.#ring();
    });
    await session.rows({ text: 'LISTEN svc' });
  }
}
