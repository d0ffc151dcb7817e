import { setTimeout as pause } from 'node:timers/promises';

/** How much longer than a chunk took the log is left to commands: chunks lock it for a tenth of the time at most. */
export const restsOfHosts = 9;
/** An operator can wait. Chunks that lock the log for a hundredth of the time do not show in the p99 of requests. */
export const restsOfOperators = 99;
const longestRestMs = 2_000;

export const restAfter = (tookMs: number, rests: number): number => Math.min(rests * tookMs, longestRestMs);

/** Runs a chunk, then leaves the log to commands. False: the chunk was the last one, or the signal has ended them. */
export async function chunkAndRest(
  chunk: () => Promise<boolean>,
  rests: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const began = performance.now();
  if (signal?.aborted === true || !(await chunk())) return false;
  const rest = pause(restAfter(performance.now() - began, rests), undefined, signal && { signal });
  await rest.catch(() => undefined);
  return true;
}

/** Runs a chunk of an operator again and again until it returns false. */
export async function inChunks(chunk: () => Promise<boolean>): Promise<void> {
  while (await chunkAndRest(chunk, restsOfOperators));
}
