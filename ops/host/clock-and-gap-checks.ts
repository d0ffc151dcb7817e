import { type Clocks, clockSkewCheck } from '../../actors/health/clock-skew-check.js';
import { receivedGapsCheck } from '../../actors/health/received-gaps-check.js';
import type { Subscriber } from '../../actors/subscriber/start-subscriber.js';
import type { HealthCheck } from '../../contracts/health.js';
import { readDatabaseClock } from '../../runtime/database/database-clock.js';
import type { Database } from '../../runtime/database/database.js';
import { readReceivedGaps, type ReceivedGap } from '../../runtime/inbox/received-gaps.js';

interface ClockAndGapChecks {
  readonly checks: readonly HealthCheck[];
  /** The last known state. */
  readonly clocks: () => Clocks;
  readonly gaps: () => readonly ReceivedGap[];
}

/** Every host compares clocks; only hosts with a broker check what arrived, and who else sends. */
export function clockAndGapChecks(
  database: Pick<Database, 'rows'>,
  subscriber: () => Pick<Subscriber, 'subscriptions' | 'clocks'> | undefined,
  /** Undefined: there is no broker. */
  sameService?: () => string | undefined,
): ClockAndGapChecks {
  let clocks: Clocks = { database: { ahead: 0, logAhead: 0 }, furthest: undefined };
  let gaps: readonly ReceivedGap[] = [];
  const losses = () =>
    [sameService?.(), ...(subscriber()?.subscriptions ?? []).map(({ losses: lost }) => lost?.text)].filter(
      (text) => text !== undefined,
    );
  const skew = clockSkewCheck(async () => {
    const now = await readDatabaseClock(database);
    return (clocks = { database: now, furthest: subscriber()?.clocks.furthest });
  });
  const received = receivedGapsCheck(async () => (gaps = await readReceivedGaps(database)), losses);
  return {
    checks: sameService === undefined ? [skew] : [skew, received],
    clocks: () => clocks,
    gaps: () => gaps,
  };
}
