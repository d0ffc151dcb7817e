import { Problem } from '../../contracts/problems.js';
import type { Database, Session } from './database.js';

/** Keeps the settings of one file from reaching the ledger or the next file; returns the function that resets them. */
export async function saveSettings(session: Session): Promise<() => Promise<void>> {
  const [row] = await session.rows({ text: "SELECT current_setting('search_path')" });
  return async () => {
    await session.rows({ text: 'RESET ROLE; RESET ALL' });
    await session.rows({ text: "SELECT set_config('search_path', $1, false)", values: [row?.[0]] });
  };
}

/** Pins the connection's default schema, because functions keep the search_path they are created under; returns the user. */
export async function enterSchema(session: Session): Promise<string> {
  const [row] = await session.rows({ text: 'SELECT quote_ident(current_schema()), current_user' });
  if (row === undefined || row[0] === null) {
    throw new Problem('invalid-setup', {
      detail: 'The connection has no default schema; set one with search_path.',
    });
  }
  await session.rows({ text: `SET search_path = ${row[0]}, pg_temp` });
  return row[1] ?? '';
}

/** Provides a connection in its default schema; it is closed afterwards, since its search_path must not reach the next borrower. */
export async function withSchemaSession<T>(
  database: Database,
  body: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await database.session();
  try {
    await enterSchema(session);
    return await body(session);
  } finally {
    session.release(true);
  }
}
