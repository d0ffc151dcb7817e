import { ScheduleMissed } from '../../contracts/events/process.js';
import { isKebabCase, maxNameLength } from '../../contracts/kebab-case.js';
import { Problem } from '../../contracts/problems.js';
import type { StoredTimer } from '../../contracts/reaction-store.js';
import type { Schedule } from '../../contracts/schedule.js';
import type { SetTimer } from '../../contracts/unit-lists.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import { nowText } from '../../runtime/now-text.js';
import { namedUuid } from '../../runtime/reactions/named-uuid.js';
import { Cron } from '../../runtime/timers/cron.js';
import { dueOccurrences } from '../../runtime/timers/occurrences.js';
import { unknownTimer } from '../steps/step-errors.js';
import { dueOf, type Fire } from './fire-timer.js';

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

/** Sends the command of an occurrence, and sets the timer of the next one. */
export const fireSchedule =
  (
    schedules: ReadonlyMap<string, KnownSchedule>,
    recordOf: (message: SystemMessage) => StagedRecord | undefined,
  ): Fire =>
  async (timer, stage) => {
    const known = schedules.get(timer.name);
    if (known === undefined)
      throw unknownTimer(`No schedule is named ${timer.name}; cancel its timer, or bring the schedule back.`);
    const { schedule, cron } = known;
    const { missed: policy = 'once' } = schedule;
    const due = Date.parse(dueOf(timer));
    const now = Date.parse(timer.dueAt) + timer.lateMs;
    const { send, dropped, next } = dueOccurrences(cron, due, now, policy);
    if (send !== undefined) await stage(schedule.command(new Date(send.due).toISOString(), send.missed));
    const missed = dropped + (send?.missed ?? 0);
    const event = { scheduleName: schedule.name, missed, policy, timestamp: nowText() };
    const record = missed === 0 ? undefined : recordOf(new ScheduleMissed(event));
    return {
      lists: { timers: next === undefined ? [] : [scheduleTimer(known, next)] },
      records: record === undefined ? [] : [record],
    };
  };

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
  if (isSame && (isOverdue || timer.parked || timer.attempts > 0)) return undefined;
  return isSame && Date.parse(timer.dueAt) === next ? undefined : scheduleTimer(known, next);
}

function scheduleTimer({ schedule: { name, cron, timeZone } }: KnownSchedule, due: number): SetTimer {
  const id = namedUuid('schedule', name);
  const at = new Date(due).toISOString();
  return {
    ...{ id, kind: 'schedule', name, key: '', again: 'replace' },
    due: { at },
    data: { cron, timeZone },
    // A timer cannot be due before its commit, but an occurrence that is caught up with was.
    context: { causationId: id, correlationId: namedUuid('occurrence', name, at), due: at },
  };
}

function isSameExpression({ schedule }: KnownSchedule, { data }: StoredTimer): boolean {
  const { cron, timeZone } = data as { readonly cron?: unknown; readonly timeZone?: unknown };
  return cron === schedule.cron && timeZone === schedule.timeZone;
}

function cronOf({ name, cron, timeZone }: Schedule): Cron {
  try {
    return new Cron(cron, timeZone);
  } catch (error) {
    throw error instanceof Problem ? invalid(name, `cannot be used: ${error.message.slice(0, -1)}`) : error;
  }
}

const invalid = (name: unknown, reason: string): Problem =>
  new Problem('invalid-setup', { detail: `The schedule '${String(name).slice(0, 80)}' ${reason}.` });
