/** What was seen of one route since the last look. */
export interface RouteSample {
  readonly completed: number;
  /** Of all that completed, added up. */
  readonly latencyMs: number;
  /** Completed ones that were served, not refused or answered from memory; they alone tell how long the work takes. */
  readonly worked: number;
  readonly workedMs: number;
  /** Not let in. */
  readonly refused: number;
  readonly inFlight: number;
  /** Open ones, of all routes. */
  readonly connections: number;
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
export const uncrowdedLimit = 128;
/** So many of a crowd are let in, however slow it goes. */
export const minLimit = 16;
/** So slowly the best time is forgotten that a queue which grows by a twentieth of what is served is still seen. */
const forgettingPerMs = 0.000_02;
/** When hardly anybody is let in and it still takes long, it is not the queue. */
const learningPerMs = 10 * forgettingPerMs;
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
  const bestMs = bestAfter(before, sample);
  const targetMs = bestMs + allowedWaitMs;
  if (takesMs <= targetMs) return { limit: loosened(before.limit, inFlight), bestMs, rate, silentMs };
  const floor = isCrowd(before, sample) ? minLimit : uncrowdedLimit;
  return { limit: Math.max(floor, rate * targetMs), bestMs, rate, silentMs };
}

/** While a queue is kept short every request waits: what it takes without waiting cannot be seen then. */
function bestAfter({ bestMs, limit }: RouteLoad, { worked, workedMs, elapsedMs }: RouteSample): number {
  if (worked === 0) return bestMs;
  const isUnlimited = limit === Number.POSITIVE_INFINITY;
  const perMs = isUnlimited ? forgettingPerMs : limit <= minLimit ? learningPerMs : 0;
  return Math.min(bestMs * (1 + perMs * elapsedMs), workedMs / worked);
}

/** More than a few are connected, and more than a few want to be served at once. */
const isCrowd = ({ limit }: RouteLoad, { connections, refused }: RouteSample): boolean =>
  connections > uncrowdedLimit && (refused > 0 || limit < uncrowdedLimit);

function loosened(limit: number, inFlight: number): number {
  const next = limit * 1.1 + 4;
  return next > 4 * Math.max(inFlight, uncrowdedLimit) ? Number.POSITIVE_INFINITY : next;
}

export const sampleEveryMs = 100;

/** What was seen of the event loop since the last look. */
interface LoopSample {
  /** From 0 to 1. */
  readonly utilisation: number;
  /** How much later than wanted the look was: so long a turn of the loop takes. */
  readonly lateMs: number;
  /** How long at most a request waited in front of the loop. */
  readonly waitedMs: number;
  /** Connections. */
  readonly accepted: number;
}

/** At how many looks the loop had no time to spare, and how long one waits for it, in its queue or unseen. */
interface LoopLoad {
  readonly busySamples: number;
  readonly waitMs: number;
  /** Looks at which many had just connected; two at which not make up for one, and no more than a few are remembered. */
  readonly rushes: number;
}

export const idleLoop: LoopLoad = { busySamples: 0, waitMs: 0, rushes: 0 };

const busy = 0.95;
/** A loop whose turns are short sees everybody soon, however busy it is; */
const longWaitMs = 10;
/** but of those who want to connect it sees one per turn: so many between two looks, if its turns are not long. */
const manyAccepted = sampleEveryMs / longWaitMs;
const fewestRushes = 3;
const mostRushes = 3 * fewestRushes;

export const afterLoopSample = (before: LoopLoad, sample: LoopSample): LoopLoad =>
  sample.utilisation > busy
    ? {
        busySamples: before.busySamples + 1,
        waitMs: Math.max(before.waitMs / 2, sample.lateMs, sample.waitedMs),
        rushes: rushesAfter(before.rushes, sample.accepted),
      }
    : idleLoop;

const rushesAfter = (rushes: number, accepted: number): number =>
  accepted >= manyAccepted ? Math.min(rushes + 1, mostRushes) : Math.max(rushes - 0.5, 0);

/** One long handler, or a pause in which the processor was given to others, is seen at one look: that is no overload. */
export const isOverloaded = ({ busySamples: looks, waitMs, rushes }: LoopLoad): boolean =>
  looks > 1 && (waitMs >= longWaitMs || rushes >= fewestRushes);

/** Whether a request that has waited so long for an overloaded loop is served all the same. */
export const mayStillBeServed = (waitedMs: number, isCrowded: boolean): boolean =>
  !isCrowded || waitedMs <= allowedWaitMs;
