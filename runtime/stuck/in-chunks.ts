import { setTimeout as pause } from 'node:timers/promises';

/** Chunks lock the log for a tenth of the time at most. */
const restsPerChunk = 9;
const longestRestMs = 2_000;

/** How long the log is left to commands after a chunk that took as long as this. */
export const restAfter = (tookMs: number): number => Math.min(restsPerChunk * tookMs, longestRestMs);

/** Runs a chunk, then leaves the log to commands. False: the chunk was the last one, or the signal has ended them. */
export async function chunkAndRest(chunk: () => Promise<boolean>, signal?: AbortSignal): Promise<boolean> {
  const began = performance.now();
  if (signal?.aborted === true || !(await chunk())) return false;
  const rest = pause(restAfter(performance.now() - began), undefined, signal && { signal });
  await rest.catch(() => undefined);
  return true;
}

/** Runs a chunk again and again until it returns false. */
export async function inChunks(chunk: () => Promise<boolean>): Promise<void> {
  while (await chunkAndRest(chunk));
}
