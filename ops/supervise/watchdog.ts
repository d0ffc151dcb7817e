/** The known state of a host process at one moment. */
interface HostVitals {
  readonly heartbeatAt: number;
  /** Unset: it is still starting. */
  readonly readyAt: number | undefined;
  /** The thread beside it names the command or reaction that blocks its event loop. */
  readonly isBlockedByCommand: boolean;
  /** In bytes. */
  readonly memory: number;
}

interface Limits {
  readonly silentMs: number;
  /** In bytes; unset: no limit. */
  readonly maxMemory: number | undefined;
  /** How long after its start it may exceed the limit: a replacement would do the same. */
  readonly settledAfterMs: number;
}

/** How much longer a blocked host may live, so that its report can arrive. */
export const watchdogDefaults = { silentMs: 1_500, settledAfterMs: 5_000, diagnoseMs: 2_000 };

/** A silent host has a blocked event loop; a host over the limit is replaced. */
export function checkVitals(
  { heartbeatAt, readyAt, isBlockedByCommand, memory }: HostVitals,
  { silentMs, maxMemory, settledAfterMs }: Limits,
  now: number,
): 'fine' | 'silent' | 'too-large' {
  // Whatever else blocks a starting host belongs to its start.
  const maySayNothing = readyAt === undefined && !isBlockedByCommand;
  if (now - heartbeatAt > silentMs && !maySayNothing) return 'silent';
  if (readyAt === undefined) return 'fine';
  const isTooLarge = maxMemory !== undefined && memory > maxMemory;
  return isTooLarge && now - readyAt > settledAfterMs ? 'too-large' : 'fine';
}

const checkEveryMs = 100;
const delayedAfterMs = 750;

/**
 * Checks every host at intervals, with the milliseconds since the last check; if the supervisor itself was delayed,
 * silence proves nothing.
 */
export function startWatchdog(check: (silenceCounts: boolean, sinceMs: number) => void): () => void {
  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    const sinceMs = now - last;
    last = now;
    check(sinceMs <= delayedAfterMs, sinceMs);
  }, checkEveryMs);
  return () => clearInterval(timer);
}
