import type { Long } from '../../contracts/scalars.js';
import type { Database, Row } from '../database/database.js';

interface SystemRange {
  /** Inclusive. */
  readonly from: Long;
  readonly to: Long;
}

/** Bodies are unbounded: a page ends after this many bytes, as stored (compressed). */
const pageBytes = 1 << 20;
const pageRows = 5000;

/** The rows of the system stream, page by page; the next page is fetched while one is processed. */
export async function* systemPages(
  database: Database,
  columns: string,
  { from, to }: SystemRange,
): AsyncGenerator<readonly Row[], void> {
  // With the upper bound inside, a planner without statistics would sort all remaining rows for every page.
  const text = `SELECT stream_position, ${columns} FROM (
      SELECT *, sum(pg_column_size(data)) OVER (ORDER BY stream_position) - pg_column_size(data) AS before
      FROM (SELECT * FROM svc_system_events WHERE stream_position >= $1
        ORDER BY stream_position LIMIT ${pageRows}) limited) weighed
    WHERE before < ${pageBytes} AND stream_position <= $2 ORDER BY stream_position`;
  const pageFrom = (next: Long): Promise<readonly Row[]> => {
    const page = database.rows({ text, values: [next, to] });
    // Reported when the page is awaited, if ever.
    page.catch(() => undefined);
    return page;
  };
  for (let coming = pageFrom(from); ;) {
    const page = await coming;
    if (page.length === 0) return;
    coming = pageFrom(Number(page.at(-1)?.[0]) + 1);
    yield page;
  }
}

export async function lastSystemPosition(database: Database): Promise<Long> {
  const [row] = await database.rows({ text: 'SELECT max(stream_position) FROM svc_system_events' });
  return Number(row?.[0] ?? 0);
}
