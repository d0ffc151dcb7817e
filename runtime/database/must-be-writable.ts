import { Problem } from '../../contracts/problems.js';
import type { Database } from './database.js';

/** A server that responds may still refuse writes; the error names the reason. */
export async function mustBeWritable(database: Pick<Database, 'rows'>): Promise<void> {
  const text = "SELECT current_setting('transaction_read_only'), pg_is_in_recovery()";
  const [[readOnly, standby] = []] = await database.rows({ text });
  if (readOnly !== 'on') return;
  const reason = standby === 't' ? 'it is a standby' : 'default_transaction_read_only is on';
  throw new Problem('store-unavailable', {
    detail: `The database is read-only (${reason}): commands are rejected until DATABASE_URL points to a primary that accepts writes.`,
  });
}
