import type { Long } from '../../contracts/scalars.js';
import { lastSystemPosition } from '../../runtime/audit/system-pages.js';
import type { Database, Row } from '../../runtime/database/database.js';
import { exportColumns, exportLine, humanLine } from '../audit/audit-line.js';
import { Bell } from '../audit/bell.js';
import { matching, type SystemStreamFilter, window } from '../audit/audit-matching.js';
import { printOut } from '../print.js';

interface TailRequest extends SystemStreamFilter {
  readonly follow: boolean;
  readonly json: boolean;
}

const shown = 20;

/** Shows the last records that match, and follows those that come until a signal ends it. */
export async function tailSystemStream(
  database: Database,
  { follow, json, ...filter }: TailRequest,
  signal: AbortSignal = untilInterrupted(),
): Promise<void> {
  const tell = (rows: readonly Row[]) => {
    for (const row of rows) printOut(`${json ? exportLine(row) : humanLine(row)}\n`);
  };
  let last = await lastSystemPosition(database);
  tell(await lastMatching(database, filter, last));
  if (!follow) return;
  const bell = new Bell(database, signal);
  try {
    while (!signal.aborted) {
      await bell.next();
      const head = await lastSystemPosition(database);
      for (; last < head && !signal.aborted; last = Math.min(last + window, head)) {
        const range = { from: last + 1, to: Math.min(last + window, head) };
        tell(await matching(database, exportColumns, filter, range));
      }
    }
  } finally {
    bell.stop();
  }
}

/** Backwards, window by window, until there are enough. */
async function lastMatching(
  database: Database,
  filter: SystemStreamFilter,
  last: Long,
): Promise<readonly Row[]> {
  let found: readonly Row[] = [];
  for (let to = last; to > 0 && found.length < shown; to -= window)
    found = [
      ...(await matching(database, exportColumns, filter, {
        from: Math.max(1, to - window + 1),
        to,
        newest: shown,
      })),
      ...found,
    ];
  return found.slice(-shown);
}

function untilInterrupted(): AbortSignal {
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
  // Nobody reads on.
  process.stdout.once('error', () => interrupt.abort());
  return interrupt.signal;
}
