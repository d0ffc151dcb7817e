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

/** Names server settings under which a crash of its machine can lose acknowledged commits; one line, or undefined. */
export async function unsafeSettings(database: Pick<Database, 'rows'>): Promise<string | undefined> {
  const names = ['fsync', 'full_page_writes'];
  const text = 'SELECT n FROM unnest($1::text[]) n WHERE current_setting(n) = $2';
  const off = (await database.rows({ text, values: [names, 'off'] })).map(([name]) => name);
  if (off.length === 0) return undefined;
  return `the server runs with ${off.join(' and ')} off: a power failure can lose or damage what was acknowledged; set to on`;
}
