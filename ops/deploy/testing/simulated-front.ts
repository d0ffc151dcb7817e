import type { Report, Side, SideReport } from '../target.js';

/** The hosts of one revision, as they were when something changed last. */
interface SimulatedSide {
  revision: string;
  replicas: number;
  /** Ready at `scaledAt`; all are, `bootMs` later. */
  ready: number;
  scaledAt: number;
  requests: number;
  errors: number;
}

/** A front, its traffic and the hosts behind it; plain data, so that a file can hold it. */
export interface SimulatedState {
  readonly sides: Record<Side, SimulatedSide>;
  toNew: number;
  isForced: boolean;
  countedAt: number;
  /** Requests to a side without a ready host. */
  lost: number;
  hasRestarted: boolean;
}

export interface Simulation {
  readonly bootMs: number;
  readonly requestsPerSecond: number;
  /** Share of errors of the new revision. */
  readonly errors: number;
  readonly neverReady: boolean;
  /** When all hosts of the new revision exit for good. */
  readonly exitAt: number;
  /** When metrics stop, and when they are back. */
  readonly unmeasured: readonly [from: number, to: number];
  /** When the front restarts; it loses its settings. */
  readonly restartAt: number;
  /** Clients keep streams open for as long as they can. */
  readonly hasStreams: boolean;
}

export const healthy: Simulation = {
  bootMs: 3_000,
  requestsPerSecond: 50,
  errors: 0,
  neverReady: false,
  exitAt: Infinity,
  unmeasured: [Infinity, Infinity],
  restartAt: Infinity,
  hasStreams: false,
};

export const simulatedState = (oldReplicas: number, now: number): SimulatedState => ({
  sides: { old: side('1.4.2', oldReplicas, now), new: side('1.5.0', 0, now) },
  toNew: 0,
  isForced: false,
  countedAt: now,
  lost: 0,
  hasRestarted: false,
});

const side = (revision: string, replicas: number, scaledAt: number): SimulatedSide => ({
  revision,
  replicas,
  ready: replicas,
  scaledAt,
  requests: 0,
  errors: 0,
});

export const readyOf = (state: SimulatedState, which: Side, world: Simulation, now: number): number => {
  const { replicas, ready, scaledAt } = state.sides[which];
  if (which === 'new' && now >= world.exitAt) return 0;
  const boots = now - scaledAt >= world.bootMs && !(which === 'new' && world.neverReady);
  return boots ? replicas : Math.min(replicas, ready);
};

/** Counts the requests since the last change. */
export function pass(state: SimulatedState, world: Simulation, now: number): void {
  const sent = Math.max(0, ((now - state.countedAt) / 1_000) * world.requestsPerSecond);
  state.countedAt = now;
  for (const which of ['old', 'new'] as const) {
    const requests = (sent * (which === 'new' ? state.toNew : 100 - state.toNew)) / 100;
    const isLost = readyOf(state, which, world, now) === 0;
    if (isLost) state.lost += requests;
    const counted = state.sides[which];
    counted.requests += requests;
    counted.errors += isLost ? requests : requests * (which === 'new' ? world.errors : 0);
  }
}

/** Every server has the same weight. */
export function restartFront(state: SimulatedState): void {
  state.toNew = 50;
  state.isForced = false;
  state.hasRestarted = true;
}

/** The hosts of a side are gone, and nothing starts them again. */
export function stopHosts(state: SimulatedState, which: Side): void {
  Object.assign(state.sides[which], { replicas: 0, ready: 0 });
}

export function scaleSide(
  state: SimulatedState,
  world: Simulation,
  now: number,
  which: Side,
  replicas: number,
): void {
  const scaled = state.sides[which];
  scaled.ready = Math.min(replicas, readyOf(state, which, world, now));
  // A call that changes nothing does not start hosts again.
  if (replicas !== scaled.replicas) scaled.scaledAt = now;
  scaled.replicas = replicas;
}

export function reportOf(state: SimulatedState, world: Simulation, now: number): Report {
  const report = (which: Side): SideReport => {
    const { revision, replicas, requests, errors } = state.sides[which];
    const ready = readyOf(state, which, world, now);
    return { revision, replicas, ready, requests: Math.floor(requests), errors: Math.floor(errors) };
  };
  const [from, to] = world.unmeasured;
  const isUnmeasured = now >= from && now < to;
  return {
    old: report('old'),
    new: report('new'),
    toNew: state.toNew,
    ...(isUnmeasured ? { unmeasured: 'the metrics source does not answer' } : {}),
  };
}
