import { Problem } from '../../contracts/problems.js';
import type { Schedule } from '../../contracts/schedule.js';
import { isTimestamp, type Timestamp } from '../../contracts/scalars.js';
import { Cron } from '../timers/cron.js';

/** The next occurrences of a schedule after a time. */
export function occurrences(
  { cron, timeZone }: Pick<Schedule, 'cron' | 'timeZone'>,
  after: Timestamp,
  count: number,
): readonly Timestamp[] {
  const grid = new Cron(cron, timeZone);
  if (!isTimestamp(after))
    throw new Problem('invalid-setup', {
      detail: `'${String(after).slice(0, 40)}' is not a timestamp such as 2026-01-31T12:00:00Z.`,
    });
  const found: Timestamp[] = [];
  for (let time = grid.after(Date.parse(after)); time !== undefined && found.length < count;) {
    found.push(new Date(time).toISOString());
    time = grid.after(time);
  }
  return found;
}
