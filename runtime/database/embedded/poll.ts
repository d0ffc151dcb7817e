import { setTimeout as pause } from 'node:timers/promises';

/** Asks until there is an answer; undefined when none came in time. */
export async function poll<T>(
  ask: () => Promise<T | undefined>,
  { everyMs, withinMs }: { readonly everyMs: number; readonly withinMs: number },
): Promise<T | undefined> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || performance.now() >= deadline) return answer;
    await pause(everyMs);
  }
}
