import assert from 'node:assert/strict';

/** Waits for a condition and returns how many milliseconds it took. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = 30_000): Promise<number> {
  const started = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - started < withinMs, `waited ${withinMs} ms in vain`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - started;
}
