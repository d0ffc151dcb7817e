import { Problem } from '../../contracts/problems.js';
import type { Database } from './database.js';

/** A server that answers may still refuse every command: then it says why. */
export async function mustBeWritable(database: Pick<Database, 'rows'>): Promise<void> {
  const text = "SELECT current_setting('transaction_read_only'), pg_is_in_recovery()";
  const [[readOnly, standby] = []] = await database.rows({ text });
  if (readOnly !== 'on') return;
  const reason = standby === 't' ? 'it is a standby' : 'default_transaction_read_only is on';
  throw new Problem('store-unavailable', {
    detail: `The database is read-only (${reason}): commands are refused until DATABASE_URL leads to a primary that takes writes.`,
  });
}

/** Settings of the server under which a crash of its machine takes back what was acknowledged; one line, or none. */
export async function unsafeSettings(database: Pick<Database, 'rows'>): Promise<string | undefined> {
  const names = ['fsync', 'full_page_writes'];
  const text = 'SELECT n FROM unnest($1::text[]) n WHERE current_setting(n) = $2';
  const off = (await database.rows({ text, values: [names, 'off'] })).map(([name]) => name);
  if (off.length === 0) return undefined;
  return `the server runs with ${off.join(' and ')} off: a power failure can lose or damage what was acknowledged; set to on`;
}
