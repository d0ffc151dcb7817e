import type { HealthCheck } from '../../contracts/health.js';
import { printableLine } from '../../runtime/lang/printable.js';
import type { EffectBacklog } from '../../runtime/effects/effect-lists.js';
import type { FailingKey, ReactionBacklog, TimerBacklog } from '../../runtime/reactions/reaction-backlog.js';
import { withTimeout } from '../../runtime/lang/with-timeout.js';
import { degradedBy } from './healthy-or-degraded.js';
import { countText, secondsText } from '../../runtime/lang/quantity-text.js';

/** Below the time after which a check counts as Unhealthy: a restart cures none of what these checks find. */
const answerMs = 1_500;

export const reactionsCheck = (
  read: () => Promise<readonly ReactionBacklog[]>,
  degradedAboveSeconds = 30,
): HealthCheck => ({
  name: 'reactions',
  tags: ['reactions'],
  check: async () => {
    // That the database does not answer is for its own check to report.
    const found = await withTimeout(answerMs, read()).catch(() => undefined);
    if (found === undefined) return degradedBy(['The progress of the reactions is unknown.']);
    return degradedBy([
      ...found.flatMap(({ name, parked, parkedKey = '' }) =>
        parked === 0 ? [] : [`${name} has parked ${shown(parkedKey)}${andMore(parked, 'key')}.`],
      ),
      ...found.flatMap(({ name, failing }) => (failing === undefined ? [] : [failingText(name, failing)])),
      ...found.flatMap(({ name, lag, oldestSeconds, failing }) =>
        failing === undefined && oldestSeconds > degradedAboveSeconds
          ? [waitText(name, lag, secondsText(oldestSeconds))]
          : [],
      ),
    ]);
  },
});

const failingText = (name: string, { key, attempts, error }: FailingKey): string =>
  `${name} has failed ${countText(attempts, 'time')} at ${shown(key)}${error === null ? '' : `: ${shown(error, 160).replace(/\.$/, '')}`}.`;

/** Without a lag, what waits is an event that failed. */
const waitText = (name: string, lag: number, waited: string): string =>
  lag === 0
    ? `${name} tries an event again that has failed for ${waited}.`
    : `${name} is ${countText(lag, 'event')} behind; the oldest waits ${waited}.`;

export const timersCheck = (read: () => Promise<TimerBacklog>, degradedAboveSeconds = 10): HealthCheck => ({
  name: 'timers',
  tags: ['reactions'],
  check: async () => {
    const found = await withTimeout(answerMs, read()).catch(() => undefined);
    if (found === undefined) return degradedBy(['It is unknown whether timers are late.']);
    const { lateSeconds, late, parked, parkedTimer } = found;
    return degradedBy([
      ...(parkedTimer === null ? [] : [`${timerText(parkedTimer)} is parked${andMore(parked, 'timer')}.`]),
      ...(late === null || lateSeconds <= degradedAboveSeconds
        ? []
        : [`${timerText(late)} is ${secondsText(lateSeconds)} late.`]),
    ]);
  },
});

export const effectsCheck = (
  read: () => Promise<readonly EffectBacklog[]>,
  degradedAboveSeconds = 60,
): HealthCheck => ({
  name: 'effects',
  tags: ['reactions'],
  check: async () => {
    const found = await withTimeout(answerMs, read()).catch(() => undefined);
    if (found === undefined) return degradedBy(['It is unknown whether effects are late.']);
    return degradedBy([
      ...found.flatMap(({ name, parked }) =>
        parked === 0 ? [] : [`${shown(name)} has parked ${countText(parked, 'request')}.`],
      ),
      ...found.flatMap(({ name, lateSeconds }) =>
        lateSeconds <= degradedAboveSeconds ? [] : [`${shown(name)} is ${secondsText(lateSeconds)} late.`],
      ),
    ]);
  },
});

const timerText = ({ name, key }: { readonly name: string; readonly key: string }): string =>
  `The timer ${shown(name)}${key === '' ? '' : ` of ${shown(key)}`}`;

const andMore = (count: number, what: string): string =>
  count < 2 ? '' : `, and ${count - 1} more ${what}${count === 2 ? '' : 's'}`;

const maxShown = 60;

/** A key is any text of the application. */
const shown = (text: string, max = maxShown): string => {
  const line = printableLine(text);
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
};
