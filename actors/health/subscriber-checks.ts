import type { HealthCheck, HealthReport } from '../../contracts/health.js';
import type { DatabaseClock } from '../../runtime/database/clock.js';
import type { ReceivedGap } from '../../runtime/inbox/received-gaps.js';
import type { StoreAhead } from '../subscriber/clock-skew.js';

const periodMs = 10_000;
const maxNamedStores = 5;

// That the database cannot be asked is for its own check to say.
const degraded = (details: readonly string[]): HealthReport =>
  details.length === 0 ? { status: 'Healthy' } : { status: 'Degraded', detail: details.join(' ') };

/** Whether everything came that other stores have sent, as far as it can be known here. */
export const receivedGapsCheck = (
  gaps: () => Promise<readonly ReceivedGap[]>,
  losses: () => readonly string[],
): HealthCheck => ({
  name: 'received',
  tags: ['transport', 'subscriptions'],
  periodMs: periodMs,
  check: async () => {
    const found = await gaps().catch(() => undefined);
    if (found === undefined) return degraded(['It is not known what was not received.']);
    const others =
      found.length > maxNamedStores ? [`So it is with ${found.length - maxNamedStores} more stores.`] : [];
    return degraded([...found.slice(0, maxNamedStores).flatMap(gapText), ...others, ...losses()]);
  },
});

const gapText = ({ store, missing, differs }: ReceivedGap): string[] => [
  ...(missing > 0
    ? [
        `${missing} system records of store ${store} were not received: svc outbox republish there sends them again.`,
      ]
    : []),
  ...(differs
    ? [
        `The chain of store ${store} is not what was received from it: svc audit verify --origin ${store} shows where.`,
      ]
    : []),
];

export interface Clocks {
  readonly database: DatabaseClock;
  readonly furthest: StoreAhead | undefined;
}

/** Nothing is refused for a while yet, but times are not what they seem. */
export const clockSkewCheck = (clocks: () => Promise<Clocks>, degradedAboveSeconds = 30): HealthCheck => ({
  name: 'clock_skew',
  tags: ['process', 'transport'],
  periodMs: periodMs,
  check: async () => {
    const found = await clocks().catch(() => undefined);
    if (found === undefined)
      return degraded(["It is not known how far the database's clock is from this host's."]);
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
