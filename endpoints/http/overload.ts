/** What was seen of one route since the last look. */
export interface RouteSample {
  readonly completed: number;
  /** Of all that completed, added up. */
  readonly latencyMs: number;
  readonly inFlight: number;
  readonly elapsedMs: number;
}

/** What is known of one route. */
export interface RouteLoad {
  /** Requests that may be in flight. */
  readonly limit: number;
  /** How long a request takes when it need not wait. */
  readonly bestMs: number;
  /** Completed requests per millisecond, smoothed. */
  readonly rate: number;
  /** How long nothing has completed although something is in flight. */
  readonly silentMs: number;
}

export const unloaded: RouteLoad = {
  limit: Number.POSITIVE_INFINITY,
  bestMs: Number.POSITIVE_INFINITY,
  rate: 0,
  silentMs: 0,
};

/** A request may wait so long before it is answered that others must not join the queue. */
export const allowedWaitMs = 80;
/** So many clients are always served, however long it takes: they are no crowd. */
export const fewest = 128;
const forgettingPerMs = 0.000_02;
const smoothing = 0.3;

/**
 * The queue in front of whatever is slow, seen from here: as soon as requests wait, no more are let in than can be
 * answered in time (Little's law). What is slow by nature does not count as waiting.
 */
export function afterSample(before: RouteLoad, sample: RouteSample): RouteLoad {
  const { completed, latencyMs, inFlight, elapsedMs } = sample;
  const silentMs = completed === 0 && inFlight > 0 ? before.silentMs + elapsedMs : 0;
  const rate = before.rate + (completed / elapsedMs - before.rate) * smoothing;
  const takesMs = completed > 0 ? latencyMs / completed : silentMs;
  const fading = before.bestMs * (1 + forgettingPerMs * elapsedMs);
  const bestMs = completed > 0 ? Math.min(fading, takesMs) : before.bestMs;
  const targetMs = bestMs + allowedWaitMs;
  const limit = takesMs > targetMs ? Math.max(fewest, rate * targetMs) : loosened(before.limit, inFlight);
  return { limit, bestMs, rate, silentMs };
}

function loosened(limit: number, inFlight: number): number {
  const next = limit * 1.1 + 4;
  return next > 4 * Math.max(inFlight, fewest) ? Number.POSITIVE_INFINITY : next;
}

/** What was seen of the event loop since the last look. */
export interface LoopSample {
  /** From 0 to 1. */
  readonly utilisation: number;
  /** How late the look was: so long every request waits before it is seen. */
  readonly lateMs: number;
  /** Open ones: no more requests than these can be waiting. */
  readonly connections: number;
}

const busy = 0.95;
const tooLateMs = 80;
const mostShed = 0.9;

/** The share of requests to refuse: more while a busy loop gets to them too late, less as soon as it does not. */
export function nextShare(share: number, { utilisation, lateMs, connections }: LoopSample): number {
  const isCrowded = connections > fewest;
  if (isCrowded && utilisation > busy && lateMs > tooLateMs)
    return Math.min(mostShed, Math.max(0.5, share + 0.1));
  return share < 0.05 ? 0 : share * 0.9;
}
