import type { Database } from '../database/database.js';
import type { ChainHead } from './chain.js';

/** The last published record of our chain: subscribers already have it. */
export async function publishedHead(database: Pick<Database, 'rows'>): Promise<ChainHead | undefined> {
  const [row] = await database.rows({
    text: `SELECT stream_position, encode(hash, 'hex') FROM svc_system_events
      WHERE publish AND global_position <= (SELECT position FROM svc_cursors WHERE name = 'outbox')
      ORDER BY global_position DESC LIMIT 1`,
  });
  return row === undefined ? undefined : { position: Number(row[0]), hash: row[1] ?? '' };
}
