import { Problem } from '../../contracts/problems.js';

export const deadlineExceeded = (ms: number): Problem =>
  new Problem('deadline-exceeded', { detail: `The deadline of ${ms} ms passed.` });

/** The reason of those who withdraw only what is not on its way yet. */
export class Withdrawn extends Error {}

const cancellationKey = Symbol('cancellation');

/** A request's cancellation; its AbortSignal is created only when it is used. */
export class Cancellation {
  #controller: AbortController | undefined;
  #signalProxy: AbortSignal | undefined;
  #listener: (() => void) | undefined;
  #callbacks: (() => void)[] | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reason: unknown;
  #unfollow: (() => void) | undefined;

  /** Follows `signal`, and aborts with `deadline-exceeded` after `deadlineMs`. */
  static of(signal: AbortSignal | undefined, deadlineMs?: number): Cancellation {
    const cancellation = new Cancellation();
    if (signal !== undefined) cancellation.#follow(signal);
    if (deadlineMs !== undefined) cancellation.after(deadlineMs);
    return cancellation;
  }

  /** The cancellation of a signal that has one: cheaper to use than the signal. */
  static behind(signal: AbortSignal): Cancellation | undefined {
    return (signal as { readonly [cancellationKey]?: Cancellation })[cancellationKey];
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Behaves like the signal in every way; where Node.js permits it, the real one is created on first use. */
  get signal(): AbortSignal {
    return (this.#signalProxy ??= isLazyAccepted ? lazySignalOf(this) : this.#markedSignal());
  }

  #markedSignal(): AbortSignal {
    return Object.assign(this.realSignal, { [cancellationKey]: this });
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
    // One of them may unsubscribe another.
    for (const callback of this.#callbacks ?? [])
      if (this.#callbacks?.includes(callback) === true) callback();
  }

  after(deadlineMs: number): void {
    this.#timer = setTimeout(() => this.abort(deadlineExceeded(deadlineMs)), deadlineMs);
  }

  /** One listener at a time: the running dispatch. Returns the previous listener. */
  listen(listener: (() => void) | undefined): (() => void) | undefined {
    const before = this.#listener;
    this.#listener = listener;
    return before;
  }

  onAbort(callback: () => void): () => void {
    (this.#callbacks ??= []).push(callback);
    return () => {
      this.#callbacks = this.#callbacks?.filter((other) => other !== callback);
    };
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
    if (hasAborted(signal)) abort();
    else this.#unfollow = onAbort(signal, abort);
  }
}

/** Creating an AbortSignal costs more than all the rest of a short request, and few handlers use theirs. */
const lazySignalHandler: ProxyHandler<Cancellation> = {
  get: (cancellation, name) => {
    if (name === cancellationKey) return cancellation;
    const { realSignal } = cancellation;
    const value: unknown = Reflect.get(realSignal, name, realSignal);
    return typeof value === 'function' ? (value.bind(realSignal) as unknown) : value;
  },
  set: ({ realSignal }, name, value) => Reflect.set(realSignal, name, value, realSignal),
  has: ({ realSignal }, name) => Reflect.has(realSignal, name),
  getPrototypeOf: () => AbortSignal.prototype,
};

const lazySignalOf = (cancellation: Cancellation): AbortSignal =>
  new Proxy(cancellation, lazySignalHandler) as unknown as AbortSignal;

/** Newer versions of Node.js combine only signals of their own making. */
const isLazyAccepted = ((): boolean => {
  try {
    return !AbortSignal.any([lazySignalOf(new Cancellation())]).aborted;
  } catch {
    return false;
  }
})();

/** Calls back when the signal aborts; the returned function unsubscribes. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const cancellation = Cancellation.behind(signal);
  if (cancellation === undefined) {
    signal.addEventListener('abort', callback, { once: true });
    return () => {
      signal.removeEventListener('abort', callback);
    };
  }
  return cancellation.onAbort(callback);
}

/** Whether a signal has aborted, without creating it. */
export const hasAborted = (signal: AbortSignal): boolean => (Cancellation.behind(signal) ?? signal).aborted;
