import type { Schedule } from '../../contracts/schedule.js';
import type { Timestamp } from '../../contracts/scalars.js';
import { Cron } from '../timers/cron.js';

/** The next occurrences of a schedule after a time. */
export function occurrences(
  { cron, timeZone }: Pick<Schedule, 'cron' | 'timeZone'>,
  after: Timestamp,
  count: number,
): readonly Timestamp[] {
  const grid = new Cron(cron, timeZone);
  const found: Timestamp[] = [];
  for (let time = grid.after(Date.parse(after)); time !== undefined && found.length < count;) {
    found.push(new Date(time).toISOString());
    time = grid.after(time);
  }
  return found;
}
