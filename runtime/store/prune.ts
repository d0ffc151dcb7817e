import type { Database } from '../database/database.js';

/** Removes what has expired: outcomes, flushes, reservations, settled dead letters, and processes that ended a week ago. */
export async function prune(database: Pick<Database, 'rows'>): Promise<void> {
  // A part at a time: commits wait for the rows of the first, and for the lock of the log that the second holds.
  for (let page: string | null | undefined = '0'; typeof page === 'string';)
    page = (await database.rows({ text: 'SELECT svc_prune($1)', values: [page] }))[0]?.[0];
  const pruneSome = async () => (await database.rows({ text: 'SELECT svc_prune_lists()' }))[0]?.[0];
  while (Number((await pruneSome()) ?? 0) > 0);
}
