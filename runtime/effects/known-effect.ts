import type { AnyEffect, EffectRegistration, Rate } from '../../contracts/effect.js';
import { isKebabCase, maxNameLength } from '../../contracts/kebab-case.js';
import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Duration } from '../../contracts/scalars.js';
import { millisecondsOf } from '../timers/duration.js';

/** At most so many calls begin in a span. */
export interface KnownRate {
  readonly calls: number;
  readonly perMs: number;
}

/** An effect whose settings were read. */
export interface KnownEffect extends EffectRegistration {
  readonly timeoutMs: number;
  /** Infinite where `forMs` is the limit. */
  readonly attempts: number;
  readonly firstMs: number;
  readonly mostMs: number;
  /** From when it was asked for. */
  readonly forMs: number;
  /** On all hosts together; undefined: unlimited. */
  readonly concurrency: number | undefined;
  readonly rate: KnownRate | undefined;
  readonly perLane: number;
  readonly laneRate: KnownRate | undefined;
}

export type KnownEffects = ReadonlyMap<string, KnownEffect>;

const dayMs = 24 * 60 * 60_000;
/** However often the other system asks for patience, a request is given up after this time. */
const longestMs = 30 * dayMs;
const defaultAttempts = 8;
const maxCount = 10_000;

/** Reads the effects of a service, by name; what is wrong with one is found at the start. */
export function knownEffects(registrations: readonly EffectRegistration[]): KnownEffects {
  const known = new Map<string, KnownEffect>();
  for (const registration of registrations) {
    const { name } = registration.effect;
    if (!isKebabCase(name))
      throw invalid(
        name,
        `needs a name in kebab-case of at most ${maxNameLength} characters, such as card-provider`,
      );
    if (known.has(name)) throw invalid(name, 'is there twice; rename one');
    known.set(name, knownEffect(registration));
  }
  return known;
}

/** The effect that does a command. */
export function findsEffects(
  registrations: readonly EffectRegistration[],
): (command: Command) => KnownEffect | undefined {
  const effects = [...knownEffects(registrations).values()];
  const byClass = new Map<unknown, KnownEffect>(effects.map((known) => [known.command, known]));
  return (command) => byClass.get(command.constructor);
}

export function knownEffect({ effect, command, decode }: EffectRegistration): KnownEffect {
  const { name, timeout = 'PT30S', retries = {}, concurrency, rate, perLane = 8, laneRate } = effect;
  const { attempts, first = 'PT2S', most = 'PT5M', for: span } = retries;
  const of = (text: Duration, what: string, mostMs: number): number => durationOf(effect, text, what, mostMs);
  for (const [what, count] of Object.entries({ attempts, concurrency, perLane }))
    if (count !== undefined) mustBeCount(name, what, count);
  if (
    perLane === 1 &&
    effect.failed === undefined &&
    span !== undefined &&
    of(span, 'retries.for', longestMs) > dayMs
  )
    throw invalid(
      name,
      'has ordered lanes and tries for more than a day, so that one request could hold its lane for that long; write failed(request, problem), or shorten retries.for',
    );
  return {
    effect,
    command,
    ...(decode !== undefined && { decode }),
    concurrency,
    perLane,
    timeoutMs: of(timeout, 'timeout', dayMs),
    attempts: attempts ?? (span === undefined ? defaultAttempts : Infinity),
    firstMs: of(first, 'retries.first', dayMs),
    mostMs: of(most, 'retries.most', dayMs),
    forMs: span === undefined ? longestMs : of(span, 'retries.for', longestMs),
    rate: rate && rateOf(effect, rate, 'rate'),
    laneRate: laneRate && rateOf(effect, laneRate, 'laneRate'),
  };
}

function rateOf(effect: AnyEffect, { calls, per }: Rate, what: string): KnownRate {
  mustBeCount(effect.name, `${what}.calls`, calls);
  return { calls, perMs: durationOf(effect, per, `${what}.per`, dayMs) };
}

function durationOf({ name }: AnyEffect, text: Duration, what: string, mostMs: number): number {
  const ms = millisecondsOf(text, `The effect '${name}': ${what}`, 'invalid-setup');
  if (ms >= 1 && ms <= mostMs) return ms;
  throw invalid(name, `needs ${what} from PT0.001S to P${mostMs / dayMs}D, not ${text.slice(0, 40)}`);
}

function mustBeCount(name: string, what: string, count: number): void {
  if (Number.isSafeInteger(count) && count >= 1 && count <= maxCount) return;
  throw invalid(name, `needs ${what} as a whole number from 1 to ${maxCount}`);
}

const invalid = (name: unknown, reason: string): Problem =>
  new Problem('invalid-setup', { detail: `The effect '${String(name).slice(0, 80)}' ${reason}.` });
