export interface RouteSample {
  readonly completed: number;
  readonly latencyMs: number;
  /** Completed requests that were not refused or answered from memory: only they show how long work takes. */
  readonly worked: number;
  readonly workedMs: number;
  readonly refused: number;
  readonly inFlight: number;
  /** Open connections, of all routes. */
  readonly connections: number;
  readonly elapsedMs: number;
}

export interface RouteLoad {
  readonly limit: number;
  /** How long a request takes without waiting. */
  readonly bestMs: number;
  /** Completed requests per millisecond, smoothed. */
  readonly rate: number;
  /** How long nothing has completed although requests are in flight. */
  readonly silentMs: number;
}

export const unloaded: RouteLoad = {
  limit: Number.POSITIVE_INFINITY,
  bestMs: Number.POSITIVE_INFINITY,
  rate: 0,
  silentMs: 0,
};

/** The longest acceptable wait; beyond it no more requests may join the queue. */
export const allowedWaitMs = 80;
/** A wait that shows. A loop with shorter turns reads every request soon, however busy it is. */
export const longWaitMs = 10;
/** This many clients are always served, however long it takes: they are not a crowd. */
export const uncrowdedLimit = 128;
/** How long an earlier time counts: long enough to detect a queue that grows by a twentieth of the throughput. */
export const rememberedMs = 30_000;
const smoothing = 0.3;
/** What is clearly more, or clearly less. */
export const twice = 2;

/** The part of the allowed wait that shows. */
export const longWaitShare = longWaitMs / allowedWaitMs;
/** At least this many requests of a crowd are admitted, however slow they are. */
export const minLimit = longWaitShare * uncrowdedLimit;

/**
 * Estimates the queue in front of whatever is slow: as soon as requests wait, no more are admitted than can be
 * answered in time (Little's law). Work that is slow by nature does not count as waiting.
 */
export function afterSample(before: RouteLoad, sample: RouteSample): RouteLoad {
  const { completed, latencyMs, inFlight, elapsedMs } = sample;
  const silentMs = completed === 0 && inFlight > 0 ? before.silentMs + elapsedMs : 0;
  const rate = before.rate + (completed / elapsedMs - before.rate) * smoothing;
  const takesMs = completed > 0 ? latencyMs / completed : silentMs;
  const bestMs = bestAfter(before, sample);
  const targetMs = bestMs + allowedWaitMs;
  if (takesMs <= targetMs) return { limit: loosened(before.limit, inFlight), bestMs, rate, silentMs };
  const floor = isCrowd(before, sample) ? minLimit : uncrowdedLimit;
  return { limit: Math.max(floor, rate * targetMs), bestMs, rate, silentMs };
}

/**
 * While a queue is kept short every request waits, so the time without waiting cannot be measured; when few requests
 * are admitted and still take long, it is not the queue.
 */
function bestAfter({ bestMs, limit }: RouteLoad, { worked, workedMs, elapsedMs }: RouteSample): number {
  if (worked === 0) return bestMs;
  const takesMs = workedMs / worked;
  if (takesMs <= bestMs) return takesMs;
  const isQueueShort = limit > minLimit && limit !== Number.POSITIVE_INFINITY;
  return isQueueShort ? bestMs : bestMs + (takesMs - bestMs) * Math.min(1, elapsedMs / rememberedMs);
}

/** Whether more than a few clients are connected and send requests at the same time. */
const isCrowd = ({ limit }: RouteLoad, { connections, refused }: RouteSample): boolean =>
  connections > uncrowdedLimit && (refused > 0 || limit < uncrowdedLimit);

/** Lets requests wait a little longer; far more than there are is no limit. */
function loosened(limit: number, inFlight: number): number {
  const next = limit * (1 + longWaitShare);
  return next > twice * Math.max(inFlight, uncrowdedLimit) ? Number.POSITIVE_INFINITY : next;
}

export const sampleEveryMs = 100;

interface LoopSample {
  readonly utilization: number;
  /** How late the sample was: the length of one turn of the loop. */
  readonly lateMs: number;
  /** The longest wait of a request in front of the loop. */
  readonly waitedMs: number;
  readonly accepted: number;
}

/** How many samples found the loop saturated, and how long requests wait for it, queued or unread. */
interface LoopLoad {
  readonly busySamples: number;
  readonly waitMs: number;
  /** Samples with many new connections, smoothed. */
  readonly rushes: number;
}

export const idleLoop: LoopLoad = { busySamples: 0, waitMs: 0, rushes: 0 };

const busy = 0.95;
/** A loop accepts one connection per turn: at most this many between two samples, if its turns are short. */
const manyAccepted = sampleEveryMs / longWaitMs;

export const afterLoopSample = (before: LoopLoad, sample: LoopSample): LoopLoad =>
  sample.utilization > busy
    ? {
        busySamples: before.busySamples + 1,
        waitMs: Math.max(before.waitMs / twice, sample.lateMs, sample.waitedMs),
        rushes: before.rushes * (1 - smoothing) + (isRush(before, sample) ? 1 : 0),
      }
    : idleLoop;

/** The connections of the first sample may have come before the loop was busy. */
const isRush = (before: LoopLoad, { accepted }: LoopSample): boolean =>
  before.busySamples > 0 && accepted >= manyAccepted;

/** One slow handler, a pause of the process or a few clients that connect at once show in one sample: no overload. */
export const isOverloaded = ({ busySamples, waitMs, rushes }: LoopLoad): boolean =>
  isMoreThanOne(busySamples) && (waitMs >= longWaitMs || isMoreThanOne(rushes));

const isMoreThanOne = (samples: number): boolean => samples > 1;

/** Whether a request that has waited this long for an overloaded loop is still served. */
export const mayStillBeServed = (waitedMs: number, isCrowded: boolean): boolean =>
  !isCrowded || waitedMs <= allowedWaitMs;
