import type { Timestamp } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import type { ChainHead } from './chain.js';

/** A head of a chain, and when it was found, by the clock of its database: hosts may disagree about the time. */
export interface DatedHead extends ChainHead {
  readonly at: Timestamp;
}

/** The last published record of our chain: subscribers already have it. */
export async function publishedHead(database: Pick<Database, 'rows'>): Promise<DatedHead | undefined> {
  const [row] = await database.rows({
    text: `SELECT stream_position, encode(hash, 'hex'),
        to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      FROM svc_system_events
      WHERE publish AND global_position <= (SELECT position FROM svc_cursors WHERE name = 'outbox')
      ORDER BY global_position DESC LIMIT 1`,
  });
  const [position, hash, at] = row ?? [];
  return typeof position === 'string' && typeof hash === 'string' && typeof at === 'string'
    ? { position: Number(position), hash, at }
    : undefined;
}
