import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { readWithoutNulls } from '../database/read-objects.js';

/** The faults in our copy of another store's system stream. */
export interface ReceivedGap {
  readonly store: Uuid;
  /** Records not received between the first received and the last announced one. */
  readonly missing: number;
  /** We hold another hash at the announced head. */
  readonly differs: boolean;
  /**
   * What was wrong with heads in the last day. `contradicts`: it signed two that cannot both be true. `forged`: some
   * were not signed by it.
   */
  readonly heads?: 'contradicts' | 'forged';
  /** Set: it went back to this position, and its messages are held. */
  readonly heldFork?: Long;
}

const maxGaps = 100;

// We were not subscribed before the first received record; after the last, the head shows how far the chain reaches.
const text = `SELECT * FROM (
    SELECT o.store, coalesce(greatest(o.last_position, o.head_position) - o.first_position + 1 - o.records, 0) AS missing,
      coalesce(r.hash <> o.head_hash, false) AS differs,
      CASE WHEN o.contradicted_at > now() - interval '1 day' THEN 'contradicts'
        WHEN o.forged_head_at > now() - interval '1 day' THEN 'forged' END AS heads, o.held_fork AS "heldFork"
    FROM svc_origins o LEFT JOIN svc_received_system_events r ON r.origin = o.origin AND r.stream_position = o.head_position
    WHERE o.records > 0 OR o.refused_heads > 0 OR o.held_fork IS NOT NULL) g
  WHERE missing > 0 OR differs OR heads IS NOT NULL OR "heldFork" IS NOT NULL ORDER BY missing DESC LIMIT ${maxGaps}`;

/** The stores with missing or differing records, most missing first. */
export const readReceivedGaps = (database: Pick<Database, 'rows'>): Promise<readonly ReceivedGap[]> =>
  readWithoutNulls(database, { text });
