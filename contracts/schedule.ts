import type { Command } from './message.js';
import type { Timestamp } from './scalars.js';

/**
 * Sends a command again and again, by a cron expression in a time zone.
 *
 * @example
 * ```ts
 * class NightlyClose implements Schedule {
 *   readonly name = 'nightly-close'; readonly cron = '30 2 * * *'; readonly timeZone = 'Europe/London';
 *   command = (due: Timestamp) => CloseBooks.of({ day: due.slice(0, 10) });
 * }
 * ```
 */
export interface Schedule {
  /** In kebab-case. */
  readonly name: string;
  readonly cron: string;
  /** The IANA name; there is no default. */
  readonly timeZone: string;
  /** After a downtime: one command for all that was missed (default), none, or one each, at most 100. */
  readonly missed?: 'once' | 'skip' | 'all';
  /** `missed`: the number of earlier occurrences that this command replaces. */
  command(due: Timestamp, missed: number): Command;
}
