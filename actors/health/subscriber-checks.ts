import type { HealthCheck, HealthReport } from '../../contracts/health.js';
import type { DatabaseClock } from '../../runtime/database/clock.js';
import type { ReceivedGap } from '../../runtime/inbox/received-gaps.js';
import type { StoreAhead } from '../subscriber/clock-skew.js';

const periodMs = 10_000;
const maxNamedStores = 5;

// That the database does not answer is for its own check to report.
const degraded = (details: readonly string[]): HealthReport =>
  details.length === 0 ? { status: 'Healthy' } : { status: 'Degraded', detail: details.join(' ') };

/** Whether everything that other stores sent has arrived, as far as this store can know. */
export const receivedGapsCheck = (
  gaps: () => Promise<readonly ReceivedGap[]>,
  losses: () => readonly string[],
): HealthCheck => ({
  name: 'received',
  tags: ['transport', 'subscriptions'],
  periodMs: periodMs,
  check: async () => {
    const found = await gaps().catch(() => undefined);
    if (found === undefined) return degraded(['The missing records could not be counted.']);
    const others =
      found.length > maxNamedStores ? [`${found.length - maxNamedStores} more stores have gaps.`] : [];
    return degraded([...found.slice(0, maxNamedStores).flatMap(gapText), ...others, ...losses()]);
  },
});

const gapText = ({ store, missing, differs }: ReceivedGap): string[] => [
  ...(missing > 0
    ? [
        `${missing} system records of store ${store} were not received: run svc outbox republish there to send them again.`,
      ]
    : []),
  ...(differs
    ? [
        `The chain of store ${store} differs from what was received: svc audit verify --origin ${store} shows where.`,
      ]
    : []),
];

export interface Clocks {
  readonly database: DatabaseClock;
  readonly furthest: StoreAhead | undefined;
}

/** Nothing is refused yet, but recorded times are wrong. */
export const clockSkewCheck = (clocks: () => Promise<Clocks>, degradedAboveSeconds = 30): HealthCheck => ({
  name: 'clock_skew',
  tags: ['process', 'transport'],
  periodMs: periodMs,
  check: async () => {
    const found = await clocks().catch(() => undefined);
    if (found === undefined)
      return degraded(["The database's clock could not be compared with this host's."]);
    const { database, furthest } = found;
    const { ahead, logAhead } = database;
    const isFar = (seconds: number) => Math.abs(seconds) > degradedAboveSeconds;
    const side = ahead > 0 ? 'ahead of' : 'behind';
    return degraded([
      ...(isFar(ahead) ? [`The database's clock is ${secondsText(ahead)} ${side} this host's.`] : []),
      ...(isFar(logAhead)
        ? [`The log is ${secondsText(logAhead)} ahead of the database's clock, which was set back.`]
        : []),
      ...(furthest !== undefined && isFar(furthest.seconds)
        ? [
            `Store ${furthest.store} records times ${secondsText(furthest.seconds)} ahead of this host's clock.`,
          ]
        : []),
    ]);
  },
});

const secondsText = (seconds: number): string => `${Math.round(Math.abs(seconds))} s`;
