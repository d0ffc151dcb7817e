import type { Long } from '../../contracts/scalars.js';
import type { Database, Row } from '../../runtime/database/database.js';
import {
  findRecords,
  ownSystemStream,
  type RecordTable,
  type SystemStreamFilter,
  windowSize,
} from './record-query.js';
import { findInIndex, type Found, indexedFilter } from './search-index.js';

interface Range {
  readonly from: Long;
  readonly to: Long;
  readonly limit: number;
  /** How many queries may look for them. */
  readonly maxQueries?: number;
}

/** The newest matching records of a range, newest first; `next` is below `from` when all of it was searched. */
export async function newestRecords(
  database: Database,
  columns: string,
  filter: SystemStreamFilter,
  { from, to, limit, maxQueries = Infinity }: Range,
  log: RecordTable = ownSystemStream,
): Promise<Found> {
  const rows: Row[] = [];
  const index = log === ownSystemStream ? await indexedFilter(database, filter) : undefined;
  const { upTo } = index ?? { upTo: 0 };
  let next = to;
  for (let queries = 0; next >= from && queries < maxQueries && rows.length < limit; queries++) {
    const newest = limit - rows.length;
    const found =
      index !== undefined && next <= upTo
        ? await findInIndex(database, columns, filter, index, { from, to: next, newest })
        : await findInWindow(
            database,
            columns,
            filter,
            { from: Math.max(from, upTo + 1), to: next, newest },
            log,
          );
    rows.push(...found.rows);
    next = found.next;
  }
  return { rows, next };
}

async function findInWindow(
  database: Database,
  columns: string,
  filter: SystemStreamFilter,
  { from, to, newest }: { readonly from: Long; readonly to: Long; readonly newest: number },
  log: RecordTable,
): Promise<Found> {
  const start = Math.max(from, to - windowSize + 1);
  const rows = await findRecords(database, columns, filter, { from: start, to, newest }, log);
  const next = rows.length === newest ? Number(rows[0]?.[0]) - 1 : start - 1;
  return { rows: rows.toReversed(), next };
}
