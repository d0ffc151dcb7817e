import type { Database } from '../database/database.js';

type Rows = Pick<Database, 'rows'>;

/** Whether the store broadcasts; undefined: no host has started yet, or none of a version that records it. */
export async function storeBroadcasts(database: Rows): Promise<boolean | undefined> {
  const [[broadcast] = []] = await database.rows({
    text: `SELECT to_jsonb(s) ->> 'broadcast' FROM svc_store s`,
  });
  return typeof broadcast === 'string' ? broadcast === 'true' : undefined;
}

/** Records what the command line follows: the host that started last decides. */
export async function recordBroadcast(database: Rows, broadcast: boolean): Promise<void> {
  await database.rows({
    text: 'SELECT svc_set_broadcast($1) FROM svc_store s WHERE s.broadcast IS DISTINCT FROM $1::boolean',
    values: [broadcast],
  });
}

export async function setBroadcast(database: Rows, broadcast: boolean): Promise<void> {
  await database.rows({ text: 'SELECT svc_set_broadcast($1)', values: [broadcast] });
}
