/** What is known of a host process at one moment. */
interface HostVitals {
  readonly heartbeatAt: number;
  /** Unset: it is still starting. */
  readonly readyAt: number | undefined;
  /** Bytes. */
  readonly memory: number;
}

interface Limits {
  readonly silentMs: number;
  /** Bytes; unset: no ceiling. */
  readonly maxMemory: number | undefined;
  /** So long after its start it may take what it wants: a replacement would do the same. */
  readonly settledAfterMs: number;
}

/** For `lookMs` more a blocked host may live, so that it becomes known what blocks it. */
export const watchdogDefaults = { silentMs: 1_500, settledAfterMs: 5_000, diagnoseMs: 2_000 };

/** A host that is silent has a blocked event loop; one that is too large is to be replaced. */
export function checkVitals(
  { heartbeatAt, readyAt, memory }: HostVitals,
  { silentMs, maxMemory, settledAfterMs }: Limits,
  now: number,
): 'fine' | 'silent' | 'too-large' {
  if (readyAt === undefined) return 'fine';
  if (now - heartbeatAt > silentMs) return 'silent';
  const isTooLarge = maxMemory !== undefined && memory > maxMemory;
  return isTooLarge && now - readyAt > settledAfterMs ? 'too-large' : 'fine';
}

const checkEveryMs = 100;
const delayedAfterMs = 750;

/** Looks at every host again and again; when it was kept from looking itself, silence proves nothing. */
export function startWatchdog(check: (silenceCounts: boolean) => void): () => void {
  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    const wasDelayed = now - last > delayedAfterMs;
    last = now;
    check(!wasDelayed);
  }, checkEveryMs);
  return () => clearInterval(timer);
}
