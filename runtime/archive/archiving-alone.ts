import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';

/** Runs the body while no other command archives or attaches segments of this store. */
export async function archivingAlone<T>(database: Pick<Database, 'session'>, body: () => Promise<T>): Promise<T> {
  const session = await database.session();
  try {
    const lock = `SELECT pg_try_advisory_lock(hashtext('svc'), 'svc_archives'::regclass::oid::int)`;
    const [row] = await session.rows({ text: lock });
    if (row?.[0] !== 't')
      throw new Problem('invalid-setup', {
        detail: 'Another command archives or attaches segments of this store; wait until it has ended.',
      });
    return await body();
  } finally {
    // The lock ends with the connection.
    session.release(true);
  }
}
