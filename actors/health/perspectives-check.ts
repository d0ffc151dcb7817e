import type { HealthCheck } from '../../contracts/health.js';
import { degradedBy } from './healthy-or-degraded.js';
import { countText, secondsText } from '../../runtime/lang/quantity-text.js';

/** How far one perspective is behind the log. */
export interface PerspectiveLag {
  readonly name: string;
  readonly events: number;
  readonly seconds: number;
  /** Parked keys. */
  readonly parked?: number;
  /** Why it has stopped. */
  readonly error?: string;
  /** Why readers still see the previous version. */
  readonly notServed?: string;
}

export const perspectivesCheck = (
  lags: () => readonly PerspectiveLag[],
  degradedAboveSeconds = 30,
): HealthCheck => ({
  name: 'perspective_lag',
  tags: ['perspectives'],
  periodMs: 2_500,
  check: () => {
    const all = lags();
    const late = all.filter(({ seconds }) => seconds > degradedAboveSeconds);
    const named = late.map(
      ({ name, events, seconds }) => `${name} ${countText(events, 'event')}, ${secondsText(seconds)}`,
    );
    const details = [
      ...(named.length === 0 ? [] : [`Behind the log: ${named.join('; ')}.`]),
      ...all.flatMap(({ name, parked = 0 }) =>
        parked > 0 ? [`${name} has parked ${countText(parked, 'row')}.`] : [],
      ),
      ...all.flatMap(({ name, error }) => (error === undefined ? [] : [`${name} has stopped: ${error}.`])),
      ...all.flatMap(({ name, notServed }) =>
        notServed === undefined
          ? []
          : [`The replay of ${name} failed, and readers see the previous version: ${notServed}`],
      ),
    ];
    return degradedBy(details);
  },
});
