import type { Clock } from '../clock.js';

interface Timer {
  readonly due: number;
  readonly wake: () => void;
}

/** A clock whose time passes only while everything waits for it. */
export class VirtualClock implements Clock {
  #now = 0;
  #isPassing = false;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const timer = { due: this.#now + Math.max(0, ms), wake: () => end() };
      const end = (): void => {
        this.#timers.delete(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      signal?.addEventListener('abort', end);
      this.#timers.add(timer);
      this.#pass();
    });
  }

  #pass(): void {
    if (this.#isPassing) return;
    this.#isPassing = true;
    setImmediate(() => {
      this.#isPassing = false;
      const [next] = [...this.#timers].toSorted((one, other) => one.due - other.due);
      if (next === undefined) return;
      this.#now = Math.max(this.#now, next.due);
      next.wake();
      this.#pass();
    });
  }
}
