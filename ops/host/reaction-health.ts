import { reactionsCheck, timersCheck } from '../../actors/health/reactions-check.js';
import type { HealthCheck } from '../../contracts/health.js';
import type { Database } from '../../runtime/database/database.js';
import { log } from '../../runtime/log.js';
import {
  type InstanceCounts,
  type KnownCursor,
  readInstanceCounts,
  type ReactionBacklog,
  readReactionBacklog,
  readTimerBacklog,
  type TimerBacklog,
} from '../../runtime/reactions/reaction-backlog.js';

/** The last known state of reactions, processes and timers, of all hosts together. */
export interface ReactionState {
  readonly reactions: readonly ReactionBacklog[];
  readonly timers: TimerBacklog;
  readonly counts: InstanceCounts;
}

export interface ReactionSources {
  readonly cursors: readonly KnownCursor[];
  /** Why the leases of reactions and timers could not be renewed, until they are. */
  readonly leaseFailure: string | undefined;
}

interface ReactionHealth {
  readonly checks: readonly HealthCheck[];
  readonly state: () => ReactionState;
}

/** Counting takes no more than this share of a connection's time, and is not repeated sooner. */
const countShare = 0.01;
const countEveryMs = 10_000;

/** What the checks read is what the metrics show; only what nothing but a metric needs is counted, after a scrape. */
export function reactionHealth(database: Pick<Database, 'rows'>, sources: ReactionSources): ReactionHealth {
  let reactions: readonly ReactionBacklog[] = [];
  let timers: TimerBacklog = { lateSeconds: 0, late: undefined, parked: 0, parkedTimer: undefined };
  let counts: InstanceCounts = { processes: [], timers: 0 };
  let countAfter = 0;
  const count = oneAtATime(async () => {
    const startedAt = performance.now();
    counts = await readInstanceCounts(database);
    const tookMs = performance.now() - startedAt;
    countAfter = startedAt + Math.max(countEveryMs, tookMs / countShare);
  });
  const readReactions = oneAtATime(
    async () => (reactions = await readReactionBacklog(database, sources.cursors)),
  );
  const readTimers = oneAtATime(async () => (timers = await readTimerBacklog(database)));
  const countAgain = (): void => {
    if (performance.now() >= countAfter)
      count().catch((err: unknown) => log.debug({ err }, 'processes and timers could not be counted'));
  };
  const leaseFailure = (): string | undefined => sources.leaseFailure;
  return {
    checks: [
      ...(sources.cursors.length === 0 ? [] : [reactionsCheck(readReactions, leaseFailure)]),
      timersCheck(readTimers, leaseFailure),
    ],
    state: () => {
      countAgain();
      return { reactions, timers, counts };
    },
  };
}

/** A store that does not answer is not asked again meanwhile. */
function oneAtATime<T>(task: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () =>
    (running ??= task().finally(() => {
      running = undefined;
    }));
}
