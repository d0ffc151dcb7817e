import { Problem } from '../contracts/problems.js';

export const deadlineExceeded = (ms: number): Problem =>
  new Problem('deadline-exceeded', { detail: `The deadline of ${ms} ms passed.` });

/** A request's cancellation; the AbortSignal behind it is made only when somebody asks for it. */
export class Cancellation {
  #controller: AbortController | undefined;
  #stand: AbortSignal | undefined;
  #listener: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reason: unknown;
  #unfollow: (() => void) | undefined;

  /** Follows `signal`, and gives up with `deadline-exceeded` after `deadlineMs`. */
  static of(signal: AbortSignal | undefined, deadlineMs?: number): Cancellation {
    const cancellation = new Cancellation();
    if (signal !== undefined) cancellation.#follow(signal);
    if (deadlineMs !== undefined) cancellation.after(deadlineMs);
    return cancellation;
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Stands for the signal in every way; the real one is made when somebody looks at it. */
  get signal(): AbortSignal {
    return (this.#stand ??= new Proxy(this, standIn) as unknown as AbortSignal);
  }

  get realSignal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.#reason = reason ?? new Problem('client-gone');
    this.#controller?.abort(this.#reason);
    this.#listener?.();
  }

  after(deadlineMs: number): void {
    this.#timer = setTimeout(() => this.abort(deadlineExceeded(deadlineMs)), deadlineMs);
  }

  /** One listener at a time: the dispatch that is running. Returns what was listening before. */
  listen(listener: (() => void) | undefined): (() => void) | undefined {
    const before = this.#listener;
    this.#listener = listener;
    return before;
  }

  /** The request is answered: nothing is left to cancel. */
  end(): void {
    clearTimeout(this.#timer);
    this.#unfollow?.();
  }

  #follow(signal: AbortSignal): void {
    const abort = () => {
      this.abort(signal.reason);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    this.#unfollow = () => {
      signal.removeEventListener('abort', abort);
    };
  }
}

/** Making an AbortSignal costs more than all the rest of a short request, and few handlers look at theirs. */
const standIn: ProxyHandler<Cancellation> = {
  get: ({ realSignal }, name) => {
    const value: unknown = Reflect.get(realSignal, name, realSignal);
    return typeof value === 'function' ? (value.bind(realSignal) as unknown) : value;
  },
  set: ({ realSignal }, name, value) => Reflect.set(realSignal, name, value, realSignal),
  has: ({ realSignal }, name) => Reflect.has(realSignal, name),
  getPrototypeOf: () => AbortSignal.prototype,
};
