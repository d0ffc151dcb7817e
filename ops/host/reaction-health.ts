import { effectsCheck, reactionsCheck, timersCheck } from '../../actors/health/reactions-check.js';
import type { EffectFigures } from '../../actors/due/effect-figures.js';
import type { HealthCheck } from '../../contracts/health.js';
import type { Database } from '../../runtime/database/database.js';
import {
  type EffectBacklog,
  longestLanes,
  readEffectBacklog,
  type WaitingLane,
} from '../../runtime/effects/effect-lists.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';
import { log } from '../../runtime/logging/log.js';
import {
  type InstanceCounts,
  type KnownCursor,
  noTimers,
  readInstanceCounts,
  type ReactionBacklog,
  readReactionBacklog,
  readTimerBacklog,
  type TimerBacklog,
} from '../../runtime/reactions/reaction-backlog.js';
import { counted, readUnlessIdle } from './counted.js';

/** The last known state of reactions, processes and timers, of all hosts together. */
export interface ReactionState {
  readonly reactions: readonly ReactionBacklog[];
  readonly timers: TimerBacklog;
  readonly counts: InstanceCounts;
  readonly effects: readonly EffectBacklog[];
  /** The ten in which the most requests of effects wait. */
  readonly lanes: readonly WaitingLane[];
}

export interface ReactionSources {
  readonly cursors: readonly KnownCursor[];
  /** What this host has called, by the name of the effect. */
  readonly effects: ReadonlyMap<string, EffectFigures>;
}

interface ReactionHealth {
  readonly checks: readonly HealthCheck[];
  readonly state: () => ReactionState;
}

const countEveryMs = 10_000;

/** While none is late or parked, and the log does not grow. */
const timersAgainMs = 30_000;
/** While none is late or parked. */
const effectsAgainMs = 9_000;

const isOnTime = ({ parked, lateSeconds }: EffectBacklog): boolean => parked + Math.floor(lateSeconds) === 0;

const isClean = ({ lag, oldestSeconds, parked, failing }: ReactionBacklog): boolean =>
  lag + oldestSeconds + parked === 0 && failing === undefined;

interface ReactionPorts {
  readonly connection: { readonly database: Pick<Database, 'rows'> };
  readonly reactions: ReactionSources;
  readonly leases: Pick<HostLeases, 'head'>;
}

/** What the checks read is what the metrics show; only what nothing but a metric needs is counted, after a scrape. */
export function reactionHealth({ connection, reactions: sources, leases }: ReactionPorts): ReactionHealth {
  const { database } = connection;
  let reactions: readonly ReactionBacklog[] = [];
  let timers = noTimers;
  const nothing: Pick<ReactionState, 'counts' | 'lanes'> = {
    counts: { processes: [], timers: 0 },
    lanes: [],
  };
  const counts = counted(
    nothing,
    async () => ({
      counts: await readInstanceCounts(database),
      lanes: sources.effects.size === 0 ? [] : await longestLanes(database),
    }),
    () => countEveryMs,
  );
  const effects = counted<readonly EffectBacklog[]>(
    [],
    () => readEffectBacklog(database),
    (found) => (found.every(isOnTime) ? effectsAgainMs : 0),
  );
  const readReactions = readUnlessIdle(
    leases,
    async () => (reactions = await readReactionBacklog(database, sources.cursors)),
    (found) => found.every(isClean),
    Infinity,
  );
  const readTimers = readUnlessIdle(
    leases,
    async () => (timers = await readTimerBacklog(database)),
    ({ late, parkedTimer }) => late === null && parkedTimer === null,
    timersAgainMs,
  );
  return {
    checks: [
      ...(sources.cursors.length === 0 ? [] : [reactionsCheck(readReactions)]),
      timersCheck(readTimers),
      ...(sources.effects.size === 0 ? [] : [effectsCheck(() => effects.read(leases.head === undefined))]),
    ],
    state: () => {
      counts.read().catch((err: unknown) => log.debug({ err }, 'processes and timers could not be counted'));
      return { reactions, timers, ...counts.last(), effects: effects.last() };
    },
  };
}
