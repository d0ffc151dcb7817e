import type { Database, Statement } from './database.js';

type Rows = Pick<Database, 'rows'>;

/** The rows of a query as objects with the names and types of its columns; a time is what `svc_time_text` or `svc_iso_time` makes of it. */
export const readObjects = <T>(database: Rows, statement: Statement): Promise<readonly T[]> =>
  parsed(database, statement, 'row_to_json(o)');

/** The same without what is null. */
export const readWithoutNulls = <T>(database: Rows, statement: Statement): Promise<readonly T[]> =>
  parsed(database, statement, 'json_strip_nulls(row_to_json(o))');

async function parsed<T>(database: Rows, statement: Statement, json: string): Promise<readonly T[]> {
  const rows = await database.rows({ ...statement, text: `SELECT ${json} FROM (${statement.text}) o` });
  return rows.map(([row]) => JSON.parse(row ?? 'null') as T);
}

/** `from`: a table and its condition. */
export async function countRows(database: Rows, from: string, values: unknown[] = []): Promise<number> {
  const [[count] = []] = await database.rows({ text: `SELECT count(*) FROM ${from}`, values });
  return Number(count);
}
