import type { HealthCheck } from '../../contracts/health.js';
import type { DatabaseClock } from '../../runtime/database/database-clock.js';
import type { StoreAhead } from '../subscriber/clock-skew.js';
import { degradedBy } from './healthy-or-degraded.js';
import { secondsText } from '../../runtime/lang/quantity-text.js';

export interface Clocks {
  readonly database: DatabaseClock;
  readonly furthest: StoreAhead | undefined;
}

/** Nothing is refused yet, but recorded times are wrong. */
export const clockSkewCheck = (clocks: () => Promise<Clocks>, degradedAboveSeconds = 30): HealthCheck => ({
  name: 'clock_skew',
  tags: ['process', 'transport'],
  periodMs: 30_000,
  check: async () => {
    // That the database does not answer is for its own check to report.
    const found = await clocks().catch(() => undefined);
    if (found === undefined)
      return degradedBy(["The database's clock could not be compared with this host's."]);
    const { database, furthest } = found;
    const { ahead, logAhead } = database;
    const isFar = (seconds: number) => Math.abs(seconds) > degradedAboveSeconds;
    const side = ahead > 0 ? 'ahead of' : 'behind';
    return degradedBy([
      ...(isFar(ahead)
        ? [`The database's clock is ${secondsText(Math.abs(ahead))} ${side} this host's.`]
        : []),
      ...(isFar(logAhead)
        ? [`The log is ${secondsText(Math.abs(logAhead))} ahead of the database's clock, which was set back.`]
        : []),
      ...(furthest !== undefined && isFar(furthest.seconds)
        ? [
            `Store ${furthest.store} records times ${secondsText(Math.abs(furthest.seconds))} ahead of this host's clock.`,
          ]
        : []),
    ]);
  },
});
