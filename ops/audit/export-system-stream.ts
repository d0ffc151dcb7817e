import type { Long } from '../../contracts/scalars.js';
import { mustHoldRecords } from '../../runtime/audit/chain-start.js';
import { lastSystemPosition, systemPages } from '../../runtime/audit/read-system-stream.js';
import type { Database } from '../../runtime/database/database.js';
import { writePages } from '../terminal/write-pages.js';
import { exportColumns, exportLine } from './format-record.js';

/** Writes records as lines of JSON. */
export async function exportSystemStream(
  database: Database,
  { from, to }: { readonly from: Long; readonly to: Long | undefined },
  output?: NodeJS.WritableStream,
): Promise<void> {
  await mustHoldRecords(database, from);
  const last = to ?? (await lastSystemPosition(database));
  await writePages(linesOf(systemPages(database, exportColumns, { from, to: last })), output);
}

async function* linesOf(pages: ReturnType<typeof systemPages>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((row) => `${exportLine(row)}\n`).join('');
}
