import type { Database } from '../database/database.js';

/** Adds the records that are new to the search, stretch by stretch. */
export async function indexRecords(
  database: Pick<Database, 'rows'>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const text = 'SELECT svc_index_records()';
  while (!isStopped()) if ((await database.rows({ text }))[0]?.[0] === null) break;
}
