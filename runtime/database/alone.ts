import { Problem } from '../../contracts/problems.js';
import type { Database, Session } from './database.js';
import { sqlStateOf } from './sql-error.js';

/** What must not run twice at a time on one store. */
const inUse = {
  archive: 'Another command archives or attaches segments of this store; wait until it has ended.',
  import: 'Another import into this store is running; wait until it has ended.',
  move: 'Another svc store move runs on this database; wait until it has ended.',
  migrate: 'A migration runs on this database; try again when it has ended.',
} as const;

/** PostgreSQL waited for the lock as long as it was allowed to. */
const lockNotAvailable = '55P03';

/** Runs the body while nothing else of this kind runs on the store. */
export async function alone<T>(
  database: Pick<Database, 'session'>,
  kind: keyof typeof inUse,
  body: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await database.session();
  try {
    // The server notices a moment later that a command was killed.
    await session.rows({ text: `SET lock_timeout = '3s'` });
    const text = `SELECT pg_advisory_lock(hashtext('svc'), hashtext($1 || ' ' || current_schema()))`;
    await session.rows({ text, values: [kind] }).catch((cause: unknown) => {
      if (sqlStateOf(cause) !== lockNotAvailable) throw cause;
      throw new Problem('invalid-setup', { detail: inUse[kind], cause });
    });
    await session.rows({ text: 'RESET lock_timeout' });
    return await body(session);
  } finally {
    // The lock ends with the connection.
    session.release(true);
  }
}
