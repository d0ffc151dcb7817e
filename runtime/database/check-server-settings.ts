import type { Database } from './database.js';

/** Names server settings under which a crash of its machine can lose acknowledged commits; one line, or undefined. */
export async function unsafeSettings(database: Pick<Database, 'rows'>): Promise<string | undefined> {
  const names = ['fsync', 'full_page_writes'];
  const text = 'SELECT n FROM unnest($1::text[]) n WHERE current_setting(n) = $2';
  const off = (await database.rows({ text, values: [names, 'off'] })).map(([name]) => name);
  if (off.length === 0) return undefined;
  return `the server runs with ${off.join(' and ')} off: a power failure can lose or damage what was acknowledged; set to on`;
}
