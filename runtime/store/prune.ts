import type { Database } from '../database/database.js';
import { chunkAndRest, restsOfHosts } from '../lang/in-chunks.js';

/** Removes what has expired: outcomes, flushes, reservations, settled dead letters, and processes that ended a week ago. */
export async function prune(database: Pick<Database, 'rows'>, signal?: AbortSignal): Promise<void> {
  // A part at a time: commits wait for the rows of the first, and for the lock of the log that the second holds.
  let page: string | null | undefined = '0';
  const nextPages = async () => {
    page = (await database.rows({ text: 'SELECT svc_prune($1)', values: [page] }))[0]?.[0];
    return typeof page === 'string';
  };
  while (await chunkAndRest(nextPages, restsOfHosts, signal));
  const lists = async () =>
    Number((await database.rows({ text: 'SELECT svc_prune_lists()' }))[0]?.[0] ?? 0) > 0;
  while (await chunkAndRest(lists, restsOfHosts, signal));
}
