import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import type { SimulatedTime } from './simulated-time.js';

/** The wall clock at the start. */
const since = Date.UTC(2026, 0, 1);

/** A turn of the event loop takes some time, so that one which waits for another turn again and again ends. */
const turnMs = 0.001;
const longestMs = 2 ** 31 - 1;

/** As Node.js does. */
const delayOf = (ms: number): number => (ms >= 1 && ms <= longestMs ? Math.trunc(ms) : 1);

/** A timer of the simulated time, which keeps no process alive. */
class SimulatedTimer {
  constructor(readonly cancel: () => void) {}

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

const clear = (timer: unknown): void => {
  if (timer instanceof SimulatedTimer) timer.cancel();
};

/** Meanwhile everything in this process that waits, asks for the time or draws a number does so in the simulated time. */
export async function inSimulatedTime<T>(time: SimulatedTime, body: () => Promise<T>): Promise<T> {
  const restore = [
    replaced(globalThis, timersOf(time)),
    replaced(performance, { now: () => time.now }),
    replaced(Date, { now: () => wallClock(time) }),
    replaced(Math, { random: time.random }),
    // Most of what is thrown here is an answer; stacks would take a fifth of the time.
    replaced(Error, { stackTraceLimit: 0 }),
    replaced(AbortSignal, { timeout: (ms: number) => abortedAfter(time, ms) }),
    replaced(timersPromises, {
      setTimeout: (ms = 0, value?: unknown, options: Waiting = {}) => pause(time, ms, value, options),
    }),
  ];
  syncBuiltinESMExports();
  try {
    return await body();
  } finally {
    for (const undo of restore) undo();
    syncBuiltinESMExports();
  }
}

/** Milliseconds since 1970, whole like those of the real one. */
export const wallClock = ({ now }: SimulatedTime): number => since + Math.floor(now);

interface Waiting {
  readonly signal?: AbortSignal;
}

const timersOf = (time: SimulatedTime) => ({
  setTimeout: (task: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    new SimulatedTimer(time.after(delayOf(ms), () => task(...args))),
  setInterval: (task: () => void, ms = 0) => {
    const again = (): (() => void) =>
      time.after(delayOf(ms), () => {
        cancel = again();
        task();
      });
    let cancel = again();
    return new SimulatedTimer(() => cancel());
  },
  setImmediate: (task: (...args: unknown[]) => void, ...args: unknown[]) =>
    new SimulatedTimer(time.after(turnMs, () => task(...args))),
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
});

function replaced(target: object, by: object): () => void {
  const before = Object.keys(by).map(
    (name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const,
  );
  for (const [name, value] of Object.entries(by))
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, own] of before)
      if (own === undefined) Reflect.deleteProperty(target, name);
      else Object.defineProperty(target, name, own);
  };
}

function pause(time: SimulatedTime, ms: number, value: unknown, { signal }: Waiting): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel();
      reject(new DOMException('The operation was aborted', 'AbortError'));
    };
    const cancel = time.after(delayOf(ms), () => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    });
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

function abortedAfter(time: SimulatedTime, ms: number): AbortSignal {
  const controller = new AbortController();
  time.after(ms, () => controller.abort(new DOMException('The operation timed out', 'TimeoutError')));
  return controller.signal;
}
