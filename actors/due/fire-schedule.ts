import { ScheduleMissed } from '../../contracts/events/process.js';
import { isKebabCase, maxNameLength } from '../../contracts/kebab-case.js';
import { Problem } from '../../contracts/problems.js';
import type { StoredTimer } from '../../contracts/reaction-store.js';
import type { Schedule } from '../../contracts/schedule.js';
import type { SetTimer } from '../../contracts/unit-lists.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import { nowText } from '../../runtime/lang/now-text.js';
import { namedUuid } from '../../runtime/lang/named-uuid.js';
import { Cron } from '../../runtime/timers/cron.js';
import { dueOccurrences, type Occurrence } from '../../runtime/timers/occurrences.js';
import { unknownTimer } from '../steps/step-errors.js';
import { type ApartFrom, dueOf, type Fire, type TimerApart } from './fire-timer.js';

const policies: readonly unknown[] = ['once', 'skip', 'all'];

/** A schedule whose expression was read. */
export interface KnownSchedule {
  readonly schedule: Schedule;
  readonly cron: Cron;
}

/** Reads the schedules of a service; what is wrong with one is found at the start. */
export function knownSchedules(schedules: readonly Schedule[]): ReadonlyMap<string, KnownSchedule> {
  const known = new Map<string, KnownSchedule>();
  for (const schedule of schedules) {
    const { name, missed = 'once' } = schedule;
    if (!isKebabCase(name))
      throw invalid(
        name,
        `needs a name in kebab-case of at most ${maxNameLength} characters, such as nightly-close`,
      );
    if (known.has(name)) throw invalid(name, 'is there twice; rename one');
    if (!policies.includes(missed)) throw invalid(name, "must have 'once', 'skip' or 'all' as missed");
    known.set(name, { schedule, cron: cronOf(schedule) });
  }
  return known;
}

type Schedules = ReadonlyMap<string, KnownSchedule>;
type RecordOf = (message: SystemMessage) => StagedRecord | undefined;

/** Sends the command of an occurrence, and sets the timer of the next one. */
export const fireSchedule =
  (schedules: Schedules, recordOf: RecordOf): Fire =>
  async (timer, stage) => {
    const known = schedules.get(timer.name);
    if (known === undefined)
      throw unknownTimer(`No schedule is named ${timer.name}; cancel its timer, or bring the schedule back.`);
    const { send, ...additions } = isParkedOccurrence(timer)
      ? { send: occurrenceOf(timer) }
      : occurrenceNow(known, timer, recordOf);
    if (send !== undefined)
      await stage(known.schedule.command(new Date(send.due).toISOString(), send.missed));
    return additions;
  };

/** An occurrence that cannot be sent is parked by itself: the next one comes all the same. */
export const parkOccurrence =
  (schedules: Schedules, recordOf: RecordOf) =>
  (timer: StoredTimer): ApartFrom | undefined => {
    const known = schedules.get(timer.name);
    if (timer.kind !== 'schedule' || known === undefined || isParkedOccurrence(timer)) return undefined;
    const { send, ...additions } = occurrenceNow(known, timer, recordOf);
    return send && { ...additions, timer: parkedOccurrence(known, send) };
  };

/** What is due by the clock of the database, and what to commit beside its command. */
function occurrenceNow(known: KnownSchedule, timer: StoredTimer, recordOf: RecordOf) {
  const { name, missed: policy = 'once' } = known.schedule;
  const due = Date.parse(dueOf(timer));
  const now = Date.parse(timer.dueAt) + timer.lateMs;
  const { send, dropped, next } = dueOccurrences(known.cron, due, now, policy);
  const missed = dropped + (send?.missed ?? 0);
  const event = { scheduleName: name, missed, policy, timestamp: nowText() };
  const record = missed === 0 ? undefined : recordOf(new ScheduleMissed(event));
  return {
    send,
    lists: { timers: next === undefined ? [] : [scheduleTimer(known, next, due > now)] },
    records: record === undefined ? [] : [record],
  };
}

/** Where the policy is not `all`, the last one that was parked replaces those before. */
function parkedOccurrence({ schedule }: KnownSchedule, { due, missed }: Occurrence): TimerApart {
  const { name, missed: policy = 'once' } = schedule;
  const at = new Date(due).toISOString();
  const id = namedUuid('parked occurrence', name, policy === 'all' ? at : '');
  const context = { causationId: id, correlationId: namedUuid('occurrence', name, at), due: at };
  return { id, kind: 'schedule', name, key: at, data: { missed }, context };
}

/** The timer that continues has no key. */
const isParkedOccurrence = ({ key }: StoredTimer): boolean => key !== '';

function occurrenceOf(timer: StoredTimer): Occurrence {
  const { missed } = timer.data as { readonly missed: number };
  return { due: Date.parse(dueOf(timer)), missed };
}

/**
 * The timer that a schedule needs when a host starts; undefined: it has the right one. An occurrence that is due already
 * is left to the policy for what was missed.
 */
export function timerAtStart(
  known: KnownSchedule,
  timer: StoredTimer | undefined,
  now: number,
): SetTimer | undefined {
  const next = known.cron.after(now);
  if (next === undefined) return undefined;
  if (timer === undefined) return scheduleTimer(known, next);
  const isOverdue = Date.parse(timer.dueAt) <= now;
  const isSame = isSameExpression(known, timer);
  if (isSame && (isOverdue || timer.parked || timer.attempts > 0 || isAfterEarly(timer))) return undefined;
  return isSame && Date.parse(timer.dueAt) === next ? undefined : scheduleTimer(known, next);
}

/** `early`: an operator ran the occurrence before it ahead of its time. */
function scheduleTimer(
  { schedule: { name, cron, timeZone } }: KnownSchedule,
  due: number,
  early = false,
): SetTimer {
  const id = namedUuid('schedule', name);
  const at = new Date(due).toISOString();
  return {
    id,
    kind: 'schedule',
    name,
    key: '',
    again: 'replace',
    due: { at },
    data: { cron, timeZone, ...(early && { early }) },
    // A timer cannot be due before its commit, but an occurrence that is caught up with was.
    context: { causationId: id, correlationId: namedUuid('occurrence', name, at), due: at },
  };
}

function isSameExpression({ schedule }: KnownSchedule, { data }: StoredTimer): boolean {
  const { cron, timeZone } = data as { readonly cron?: unknown; readonly timeZone?: unknown };
  return cron === schedule.cron && timeZone === schedule.timeZone;
}

const isAfterEarly = ({ data }: StoredTimer): boolean =>
  (data as { readonly early?: unknown }).early === true;

function cronOf({ name, cron, timeZone }: Schedule): Cron {
  try {
    return new Cron(cron, timeZone);
  } catch (error) {
    throw error instanceof Problem ? invalid(name, `cannot be used: ${error.message.slice(0, -1)}`) : error;
  }
}

const invalid = (name: unknown, reason: string): Problem =>
  new Problem('invalid-setup', { detail: `The schedule '${String(name).slice(0, 80)}' ${reason}.` });
