import { type Cancellation, deadlineExceeded } from './cancellation.js';

/** Deadlines of one length pass in the order they began: one timer serves them all. */
export class Deadlines {
  readonly #running = new Map<Cancellation, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly lengthMs: number) {}

  begin(cancellation: Cancellation, now = performance.now()): void {
    this.#running.set(cancellation, now + this.lengthMs);
    if (this.#timer === undefined) this.#wakeIn(this.lengthMs);
  }

  end(cancellation: Cancellation): void {
    this.#running.delete(cancellation);
  }

  #wakeIn(ms: number): void {
    this.#timer = setTimeout(() => this.#expire(), ms).unref();
  }

  #expire(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [cancellation, at] of this.#running) {
      if (at > now) {
        this.#wakeIn(at - now);
        return;
      }
      this.#running.delete(cancellation);
      cancellation.abort(deadlineExceeded(this.lengthMs));
    }
  }
}
