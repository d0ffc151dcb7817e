/** What is known of a host process at one moment. */
interface Pulse {
  readonly beatAt: number;
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
export const watchdogDefaults = { silentMs: 1_500, settledAfterMs: 5_000, lookMs: 2_000 };

/** A host that is silent has a blocked event loop; one that is too large is to be replaced. */
export function verdictOn(
  { beatAt, readyAt, memory }: Pulse,
  { silentMs, maxMemory, settledAfterMs }: Limits,
  now: number,
): 'fine' | 'silent' | 'too-large' {
  if (readyAt === undefined) return 'fine';
  if (now - beatAt > silentMs) return 'silent';
  const isTooLarge = maxMemory !== undefined && memory > maxMemory;
  return isTooLarge && now - readyAt > settledAfterMs ? 'too-large' : 'fine';
}

const lookEveryMs = 100;
const keptMs = 750;

/** Looks at every host again and again; when it was kept from looking itself, silence proves nothing. */
export function startWatching(look: (silenceCounts: boolean) => void): () => void {
  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    const wasKept = now - last > keptMs;
    last = now;
    look(!wasKept);
  }, lookEveryMs);
  return () => clearInterval(timer);
}
