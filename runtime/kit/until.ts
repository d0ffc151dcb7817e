import assert from 'node:assert/strict';

/** Every test shares its machine with others: what a look takes beyond this is the wait for a processor. */
const lookMs = 50;

/** Waits for a condition. Returns how many milliseconds that took; on a busy machine they last longer. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<number> {
  let took = 0;
  for (let from = performance.now(); !(await isSo());) {
    assert.ok(took < withinMs, `waited ${withinMs} ms in vain`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    const now = performance.now();
    took += Math.min(now - from, lookMs);
    from = now;
  }
  return took;
}

/** How many milliseconds work took, counted in the same way. */
export async function durationOf(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const ended = work.finally(() => (isDone = true));
  const [took] = await Promise.all([until(() => isDone, 600_000), ended]);
  return took;
}

/** Waits until a check passes; throws its last failure otherwise. */
export async function untilPasses(check: () => Promise<void>): Promise<void> {
  let failure: unknown;
  const passes = (): Promise<boolean> =>
    check().then(
      () => true,
      (error: unknown) => {
        failure = error;
        return false;
      },
    );
  await until(passes).catch(() => Promise.reject(failure));
}
