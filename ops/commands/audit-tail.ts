import type { Long } from '../../contracts/scalars.js';
import { lastSystemPosition } from '../../runtime/audit/read-system-stream.js';
import type { Database, Row } from '../../runtime/database/database.js';
import { exportColumns, exportLine, textLine } from '../audit/format-record.js';
import { CommitWaiter } from '../audit/commit-waiter.js';
import { findRecords, type SystemStreamFilter, windowSize } from '../audit/record-query.js';
import { printToStdout } from '../terminal/print.js';

interface TailRequest extends SystemStreamFilter {
  readonly follow: boolean;
  readonly json: boolean;
}

const shown = 20;

/** Shows the last records that match, and follows new ones until a signal. */
export async function tailSystemStream(
  database: Database,
  { follow, json, ...filter }: TailRequest,
  signal: AbortSignal = untilInterrupted(),
): Promise<void> {
  const print = (rows: readonly Row[]) => {
    for (const row of rows) printToStdout(`${json ? exportLine(row) : textLine(row)}\n`);
  };
  let last = await lastSystemPosition(database);
  print(await lastMatching(database, filter, last));
  if (!follow) return;
  const commits = new CommitWaiter(database, signal);
  try {
    while (!signal.aborted) {
      await commits.next();
      const head = await lastSystemPosition(database);
      for (; last < head && !signal.aborted; last = Math.min(last + windowSize, head)) {
        const range = { from: last + 1, to: Math.min(last + windowSize, head) };
        print(await findRecords(database, exportColumns, filter, range));
      }
    }
  } finally {
    commits.stop();
  }
}

/** Reads backwards, window by window, until there are enough records. */
async function lastMatching(
  database: Database,
  filter: SystemStreamFilter,
  last: Long,
): Promise<readonly Row[]> {
  let found: readonly Row[] = [];
  for (let to = last; to > 0 && found.length < shown; to -= windowSize)
    found = [
      ...(await findRecords(database, exportColumns, filter, {
        from: Math.max(1, to - windowSize + 1),
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
  // The reader closed the pipe.
  process.stdout.once('error', () => interrupt.abort());
  return interrupt.signal;
}
