import { Cron as Croner } from 'croner';
import { Problem } from '../../contracts/problems.js';

/** Milliseconds since 1970. */
type Time = number;

const maxLength = 200;

/** The occurrences of a cron expression of five fields, or `@daily` and the like, in a time zone. */
export class Cron {
  readonly #cron: Croner;

  /** Throws when the expression or the zone cannot be read, or when the expression never occurs. */
  constructor(
    readonly expression: string,
    readonly timeZone: string,
  ) {
    mustBeShortText(expression, 'cron');
    mustBeShortText(timeZone, 'timeZone');
    if (!isTimeZone(timeZone))
      throw invalid(`timeZone '${timeZone}' is not known; use an IANA name such as Europe/Berlin`);
    mustHaveFiveFields(expression);
    try {
      this.#cron = new Croner(expression, { timezone: timeZone, mode: '5-part' });
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^Cron\w*: /, '') : 'unknown';
      throw invalid(`cron '${expression}' cannot be read: ${reason}`);
    }
    if (this.after(Date.now()) === undefined)
      throw invalid(`cron '${expression}' never occurs, such as on 30 February`);
  }

  /** The first occurrence after a time. */
  after(time: Time): Time | undefined {
    return this.#cron.nextRun(new Date(time))?.getTime();
  }

  /** The last occurrences up to a time, that time included; oldest first. */
  upTo(time: Time, count: number): readonly Time[] {
    // The library looks before a time only, and cuts its milliseconds.
    const end = new Date(Math.floor(time / 1_000) * 1_000 + 1_000);
    return this.#cron
      .previousRuns(count, end)
      .map((occurrence) => occurrence.getTime())
      .reverse();
  }
}

function mustBeShortText(value: unknown, name: string): void {
  if (typeof value !== 'string' || value === '') throw invalid(`${name} must be a text`);
  if (value.length > maxLength) throw invalid(`${name} is longer than ${maxLength} characters`);
}

/** The library would offer six and seven as well. */
function mustHaveFiveFields(expression: string): void {
  const { length } = expression.trim().split(/\s+/);
  if (length === 5 || expression.startsWith('@')) return;
  const found = length === 1 ? '1 field' : `${length} fields`;
  throw invalid(
    `cron '${expression}' has ${found}; it needs five: minute, hour, day of the month, month, day of the week`,
  );
}

function isTimeZone(name: string): boolean {
  // An offset such as +01:00 knows no daylight saving time and is no name.
  if (!/^[A-Za-z]/.test(name)) return false;
  // Most schedules have it, and a host should not load the others for it.
  if (name === 'UTC') return true;
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const invalid = (reason: string): Problem => new Problem('invalid-setup', { detail: `${reason}.` });
