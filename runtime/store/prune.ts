import type { Database } from '../database/database.js';

/** Removes what has expired: outcomes, flushes, leases, holds, and processes that ended a week ago. */
export async function prune(database: Pick<Database, 'rows'>): Promise<void> {
  await database.rows({ text: 'SELECT svc_prune()' });
  // A part at a time: it holds the lock of the log.
  const pruneSome = async () => (await database.rows({ text: 'CALL svc_prune_lists(NULL)' }))[0]?.[0];
  while (Number((await pruneSome()) ?? 0) > 0);
}
