import type { Database } from '../database/database.js';

/** The tables that a move copies; each segment of a log is one. */
export async function copiedTables(
  database: Pick<Database, 'rows'>,
  which: 'all' | 'sealed' = 'all',
): Promise<readonly string[]> {
  const text = `SELECT name FROM svc_copied_tables() WHERE is_sealed OR $1 = 'all'`;
  return (await database.rows({ text, values: [which] })).map(([name]) => name ?? '');
}
