import { fakeClock, type FakeClock } from './fake-clock.js';

/** Provides a clock that controls the timeouts set while the body runs. */
export async function withFakeTimeouts(body: (clock: FakeClock) => void | Promise<void>): Promise<void> {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const clock = fakeClock();
  const set = (task: () => void, ms = 0) => new FakeTimeout(clock.after(ms, task));
  const clear = (timeout: unknown) => {
    if (timeout instanceof FakeTimeout) timeout.cancel();
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  try {
    await body(clock);
  } finally {
    Object.assign(globalThis, real);
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
