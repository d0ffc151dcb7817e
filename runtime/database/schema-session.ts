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

/** Connections in their default schema; each is closed afterwards, since its search_path must not reach the next borrower. */
export const schemaSessions = (database: Pick<Database, 'session'>): Pick<Database, 'session'> => ({
  session: async () => {
    const session = await database.session();
    const close = (): void => session.release(true);
    await enterSchema(session).catch((error: unknown) => {
      close();
      throw error;
    });
    return { ...session, release: close };
  },
});

/** Provides such a connection. */
export async function withSchemaSession<T>(
  database: Pick<Database, 'session'>,
  body: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await schemaSessions(database).session();
  try {
    return await body(session);
  } finally {
    session.release();
  }
}
