import { once } from 'node:events';
import type { Long } from '../../contracts/scalars.js';
import { mustHoldRecords } from '../../runtime/audit/chain-start.js';
import { lastSystemPosition, systemPages } from '../../runtime/audit/read-system-stream.js';
import type { Database } from '../../runtime/database/database.js';
import { printable } from '../../runtime/lang/printable.js';
import { exportColumns, exportLine } from './format-record.js';

/** Writes records as lines of JSON, as fast as the reader takes them. */
export async function exportSystemStream(
  database: Database,
  { from, to }: { readonly from: Long; readonly to: Long | undefined },
  output: NodeJS.WritableStream = process.stdout,
): Promise<void> {
  let gone = false;
  // The reader closed the pipe: `svc audit export | head` is not an error.
  const leave = () => {
    gone = true;
  };
  output.on('error', leave);
  await mustHoldRecords(database, from);
  const last = to ?? (await lastSystemPosition(database));
  for await (const page of systemPages(database, exportColumns, { from, to: last })) {
    if (gone) break;
    const text = page.map((row) => `${exportLine(row)}\n`).join('');
    const isWatched = 'isTTY' in output && output.isTTY === true;
    if (!output.write(isWatched ? printable(text) : text))
      await Promise.race([once(output, 'drain'), once(output, 'close')]).catch(leave);
  }
  output.removeListener('error', leave);
}
