import { setTimeout as delay } from 'node:timers/promises';

/** The time that a deployment waits by. */
export interface Clock {
  /** Milliseconds that only grow. */
  now(): number;
  /** Resolves early when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal && { signal }).catch(() => undefined),
};
