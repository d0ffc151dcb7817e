import assert from 'node:assert/strict';
import { fakeClock, type FakeClock } from '../kit/fake-clock.js';

/** Provides a clock that controls the timeouts set while the body runs, and the time of `performance`. */
export async function withFakeTimeouts(body: (clock: FakeClock) => void | Promise<void>): Promise<void> {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const clock = fakeClock();
  const set = (task: () => void, ms = 0) => new FakeTimeout(clock.after(ms, task));
  const clear = (timeout: unknown) => {
    if (timeout instanceof FakeTimeout) timeout.cancel();
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  // Whole, so that sums and differences are exact.
  const began = Math.ceil(performance.now());
  performance.now = () => began + clock.now();
  try {
    await body(clock);
  } finally {
    Object.assign(globalThis, real);
    // The real one is inherited.
    Reflect.deleteProperty(performance, 'now');
  }
}

/** Advances the clock in small steps, with a turn of the event loop after each, until a condition holds. */
export async function advanceUntil(clock: FakeClock, isSo: () => boolean, stepMs = 10): Promise<void> {
  for (let steps = 0; !isSo(); steps++) {
    assert.ok(steps < 10_000, `advanced by ${steps * stepMs} ms in vain`);
    clock.advance(stepMs);
    await new Promise(setImmediate);
  }
}

class FakeTimeout {
  constructor(readonly cancel: () => void) {}

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}
