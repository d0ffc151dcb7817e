import { retryDelayMs } from '../../runtime/lang/retry-delay.js';

/** How often and how soon a crashed child is restarted. */
export interface RestartPolicy {
  /** More restarts than this within `withinMs` are too many. */
  readonly restarts: number;
  readonly withinMs: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** After running this long, the next restart uses the first delay again. */
  readonly healthyAfterMs: number;
}

export const restartDefaults: RestartPolicy = {
  restarts: 10,
  withinMs: 60_000,
  firstDelayMs: 100,
  maxDelayMs: 30_000,
  healthyAfterMs: 30_000,
};

/** The crashes that still count. */
export interface CrashHistory {
  readonly at: readonly number[];
  readonly inRow: number;
}

export const noCrashes: CrashHistory = { at: [], inRow: 0 };

interface Crash {
  readonly at: number;
  /** How long it ran. */
  readonly ranMs: number;
}

export interface RestartDecision {
  readonly crashes: CrashHistory;
  /** Undefined: it crashes too often to be restarted. */
  readonly restartInMs: number | undefined;
}

export function afterCrash(
  policy: RestartPolicy,
  before: CrashHistory,
  crash: Crash,
  random: number,
): RestartDecision {
  const at = [...before.at.filter((time) => time > crash.at - policy.withinMs), crash.at];
  const inRow = crash.ranMs >= policy.healthyAfterMs ? 1 : before.inRow + 1;
  const isTooMany = at.length > policy.restarts;
  const { firstDelayMs, maxDelayMs: longestDelayMs } = policy;
  return {
    crashes: { at, inRow },
    restartInMs: isTooMany ? undefined : retryDelayMs(inRow, random, firstDelayMs, longestDelayMs),
  };
}
