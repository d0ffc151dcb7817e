/** Full jitter: anything from 0 to a bound that doubles with every failure. */
export function retryDelayMs(failures: number, random: number, minMs: number, maxMs: number): number {
  return Math.round(random * Math.min(maxMs, minMs * 2 ** Math.max(0, failures - 1)));
}
