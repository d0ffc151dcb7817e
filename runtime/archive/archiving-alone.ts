import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';
import { sqlStateOf } from '../database/sql-error.js';

const lock = `SELECT pg_advisory_lock(hashtext('svc'), 'svc_archives'::regclass::oid::int)`;
/** PostgreSQL waited for the lock as long as it was allowed to. */
const lockNotAvailable = '55P03';

/** Runs the body while no other command archives or attaches segments of this store. */
export async function archivingAlone<T>(
  database: Pick<Database, 'session'>,
  body: () => Promise<T>,
): Promise<T> {
  const session = await database.session();
  try {
    // The server notices a moment later that a command was killed.
    await session.rows({ text: `SET lock_timeout = '2s'` });
    await session.rows({ text: lock }).catch((cause: unknown) => {
      if (sqlStateOf(cause) !== lockNotAvailable) throw cause;
      throw new Problem('invalid-setup', {
        detail: 'Another command archives or attaches segments of this store; wait until it has ended.',
        cause,
      });
    });
    return await body();
  } finally {
    // The lock ends with the connection.
    session.release(true);
  }
}
