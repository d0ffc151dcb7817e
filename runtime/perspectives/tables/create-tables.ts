import { Problem } from '../../../contracts/problems.js';
import type { Database } from '../../database/database.js';
import { perspectiveDdl } from './ddl.js';
import type { PerspectiveTable } from './perspective-table.js';

/** Creates missing tables over the owner's connection; one host at a time, as with every migration. */
export async function createPerspectiveTables(
  owner: Database,
  tables: readonly PerspectiveTable[],
): Promise<void> {
  const session = await owner.session();
  try {
    await session.rows({
      text: "SELECT pg_advisory_lock(hashtext('svc'), hashtext('migrate ' || current_schema()))",
    });
    // Functions keep the search_path they are created under.
    const [schemaRow] = await session.rows({ text: 'SELECT quote_ident(current_schema())' });
    await session.rows({ text: `SET search_path = ${schemaRow?.[0] ?? 'public'}, pg_temp` });
    for (const table of tables) await session.rows({ text: perspectiveDdl(table) });
  } finally {
    // Closed: its search_path and its lock must not reach the next borrower.
    session.release(true);
  }
}

/** Whether the table was dropped. */
export async function isMissing(database: Database, { table }: PerspectiveTable): Promise<boolean> {
  const [row] = await database.rows({ text: 'SELECT to_regclass($1) IS NULL', values: [table] });
  return row?.[0] === 't';
}

export const notMade = (cause: unknown): Problem =>
  cause instanceof Problem
    ? cause
    : new Problem('invalid-setup', {
        detail: `The tables of the perspectives could not be created: ${cause instanceof Error ? cause.message : String(cause)}`,
        cause,
      });
