import type { Database } from './database.js';

/** Names server settings under which a crash of its machine can lose acknowledged commits; one line, or undefined. */
export async function unsafeSettings(database: Pick<Database, 'rows'>): Promise<string | undefined> {
  const names = ['fsync', 'full_page_writes'];
  const text = 'SELECT n FROM unnest($1::text[]) n WHERE current_setting(n) = $2';
  const off = (await database.rows({ text, values: [names, 'off'] })).map(([name]) => name);
  if (off.length === 0) return undefined;
  return `the server runs with ${off.join(' and ')} off: a power failure can lose or damage what was acknowledged; set to on`;
}

/** Functions keep the schema in their search_path: what others create there runs with the rights of the owner. */
export async function writableSchema(database: Pick<Database, 'rows'>): Promise<string | undefined> {
  const text = `SELECT quote_ident(s) FROM current_schema() s WHERE has_schema_privilege('public', s::text, 'CREATE')`;
  const [[schema] = []] = await database.rows({ text });
  if (schema === undefined || schema === null) return undefined;
  return `every login may create functions in the schema ${schema}, and so act as the owner of the store; run REVOKE CREATE ON SCHEMA ${schema} FROM PUBLIC`;
}
