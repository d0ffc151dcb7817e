import type { Schedule, Timestamp } from 'svc-runtime';
import { CloseBooks } from './books.js';

export class NightlyClose implements Schedule {
  readonly name = 'nightly-close';
  readonly cron = '30 2 * * *';
  readonly timeZone = 'Europe/London';

  command(due: Timestamp): CloseBooks {
    return CloseBooks.of({ day: due.slice(0, 10) });
  }
}
