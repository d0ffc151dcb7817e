import type { Long, Timestamp } from '../../contracts/scalars.js';
import type { ChainHead } from '../audit/chain.js';
import type { Database } from '../database/database.js';
import { epochAt, lastEpochs, type MessageEpoch } from './epoch-headers.js';

/** Which history of its store a log is, and how far it was published. */
export interface LogHistory extends MessageEpoch {
  readonly publishedTo: Long;
}

/** A head of a chain, and when it was found, by the clock of its database: hosts may disagree about the time. */
export interface DatedHead extends ChainHead {
  readonly at: Timestamp;
  readonly history: LogHistory;
}

const text = `SELECT s.stream_position, encode(s.hash, 'hex'),
    svc_iso_time(clock_timestamp(), 'MS'), c.position, ${lastEpochs}
  FROM svc_progress c CROSS JOIN LATERAL (SELECT stream_position, hash FROM svc_system_events
    WHERE publish AND global_position <= c.position ORDER BY global_position DESC LIMIT 1) s
  WHERE c.name = 'outbox'`;

/** The last published record of our chain: subscribers already have it. */
export async function publishedHead(database: Pick<Database, 'rows'>): Promise<DatedHead | undefined> {
  const [[position, hash, at, publishedTo, epochs] = []] = await database.rows({ text });
  if (typeof position !== 'string' || typeof hash !== 'string' || typeof at !== 'string') return undefined;
  const to = Number(publishedTo);
  const history = { ...epochAt(to, epochs ?? ''), publishedTo: to };
  return { position: Number(position), hash, at, history };
}
