import type { Schedule } from '../../contracts/schedule.js';
import type { Cron } from './cron.js';

/** Stands for `missed` earlier ones. */
export interface Occurrence {
  readonly due: number;
  readonly missed: number;
}

/** What a host does when the timer of a schedule fires. Times are in milliseconds since 1970, by the clock of the database. */
interface DueOccurrences {
  /** Absent: none is sent. */
  readonly send?: Occurrence;
  /** How many occurrences are not sent; `missedMost` of them at most are counted. */
  readonly dropped: number;
  /** The next occurrence; undefined: there is none. */
  readonly next: number | undefined;
}

/** Later than this, an occurrence was missed. */
const lateMs = 60_000;
/** What `all` catches up with at most. */
export const caughtUpMost = 100;
/** More missed occurrences are not counted: a schedule of every minute misses half a million in a year. */
export const missedMost = 1_000;

/** Decides about the occurrence `due`, and about those that have become due since. */
export function dueOccurrences(
  cron: Cron,
  due: number,
  now: number,
  policy: NonNullable<Schedule['missed']>,
): DueOccurrences {
  if (policy === 'all') return oneByOne(cron, due, now);
  const { count, last } = laterOccurrences(cron, due, now);
  const next = cron.after(Math.max(now, last));
  if (policy === 'once') return { send: { due: last, missed: count }, dropped: 0, next };
  const isMissed = now - last > Math.min(lateMs, ((next ?? Infinity) - last) / 2);
  return isMissed ? { dropped: count + 1, next } : { send: { due: last, missed: 0 }, dropped: count, next };
}

/** Each sets the timer of the next one, so that they are sent in order and none twice. */
function oneByOne(cron: Cron, due: number, now: number): DueOccurrences {
  const next = cron.after(due);
  const oldest = next === undefined || next > now ? undefined : cron.upTo(now, caughtUpMost)[0];
  if (oldest === undefined || oldest <= due) return { send: { due, missed: 0 }, dropped: 0, next };
  const { count } = laterOccurrences(cron, due, oldest);
  return { send: { due: oldest, missed: 0 }, dropped: count, next: cron.after(oldest) };
}

/** After `due` and up to `now`. */
function laterOccurrences(
  cron: Cron,
  due: number,
  now: number,
): { readonly count: number; readonly last: number } {
  let last = due;
  for (let count = 0; ; count++) {
    const next = cron.after(last);
    if (next === undefined || next > now) return { count, last };
    if (count === missedMost) return { count, last: cron.upTo(now, 1)[0] ?? last };
    last = next;
  }
}
