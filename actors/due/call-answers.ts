import type { EffectRefused, TryLater } from '../../contracts/effect.js';
import type { ErrorSummary } from '../../contracts/events/error.js';
import { Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { millisecondsOf } from '../../runtime/timers/duration.js';
import { Unhandled } from '../steps/step-errors.js';

const maxEvents = 100;
const maxEventBytes = 65_536;
/** A provider that says `Retry-After: 0` must not be called in a circle. */
export const leastLaterMs = 1_000;

/** What may be stored of a refusal, and at which length: the other system may have written it. */
export const refusalOf = ({ code, detail }: EffectRefused, failure: ErrorSummary): Problem =>
  new Problem(failure.code ?? code, {
    status: 422,
    ...(detail !== undefined && { detail: failure.message }),
  });

/** The events that a call returned, if an outcome may have them. */
export function eventsOf(returned: unknown, name: string): readonly Event[] {
  const list: readonly unknown[] =
    returned === undefined ? [] : Array.isArray(returned) ? returned : [returned];
  const invalid = (limit: string): Unhandled =>
    new Unhandled(new Problem('effect-invalid', { detail: `${name} must return ${limit}.` }));
  if (list.length > maxEvents || !list.every((one) => one instanceof Event))
    throw invalid(`events, at most ${maxEvents}, or nothing`);
  if (bytesOf(list) > maxEventBytes)
    throw invalid(
      `events of at most ${maxEventBytes / 1_024} KiB together; store the rest elsewhere, and its id here`,
    );
  return list;
}

/** The commit refuses what cannot be written as JSON. */
function bytesOf(events: readonly Event[]): number {
  try {
    return Buffer.byteLength(JSON.stringify(events));
  } catch {
    return 0;
  }
}

/** A time that cannot be read, such as a date in `Retry-After`, is a failure like any other. */
export function laterMs({ after }: TryLater): number {
  try {
    return Math.max(millisecondsOf(after, 'TryLater'), leastLaterMs);
  } catch {
    return Infinity;
  }
}
