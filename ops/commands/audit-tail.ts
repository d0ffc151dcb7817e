import { lastSystemPosition } from '../../runtime/audit/read-system-stream.js';
import type { Database, Row } from '../../runtime/database/database.js';
import { exportColumns, exportLine, textLine } from '../audit/format-record.js';
import { CommitWaiter } from '../audit/commit-waiter.js';
import { newestRecords } from '../audit/newest-records.js';
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
  const range = { from: 1, to: last, limit: shown };
  const { rows } = await newestRecords(database, exportColumns, filter, range);
  print(rows.toReversed());
  if (!follow) return;
  const commits = new CommitWaiter(database, signal);
  try {
    while (!signal.aborted) {
      await commits.next();
      const head = await lastSystemPosition(database);
      for (; last < head && !signal.aborted; last = Math.min(last + windowSize, head)) {
        const added = { from: last + 1, to: Math.min(last + windowSize, head) };
        print(await findRecords(database, exportColumns, filter, added));
      }
    }
  } finally {
    commits.stop();
  }
}

function untilInterrupted(): AbortSignal {
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
  // The reader closed the pipe.
  process.stdout.once('error', () => interrupt.abort());
  return interrupt.signal;
}
