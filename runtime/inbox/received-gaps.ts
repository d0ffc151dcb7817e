import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';

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
    SELECT o.store, greatest(o.last_position, o.head_position) - o.first_position + 1 - o.records AS missing,
      coalesce(r.hash <> o.head_hash, false) AS differs,
      CASE WHEN o.contradicted_at > now() - interval '1 day' THEN 'contradicts'
        WHEN o.forged_head_at > now() - interval '1 day' THEN 'forged' END AS heads, o.held_fork
    FROM svc_origins o LEFT JOIN svc_received_system_events r ON r.origin = o.origin AND r.stream_position = o.head_position
    WHERE o.records > 0 OR o.refused_heads > 0 OR o.held_fork IS NOT NULL) g
  WHERE missing > 0 OR differs OR heads IS NOT NULL OR held_fork IS NOT NULL ORDER BY missing DESC NULLS LAST LIMIT ${maxGaps}`;

/** The stores with missing or differing records, most missing first. */
export async function readReceivedGaps(database: Pick<Database, 'rows'>): Promise<ReceivedGap[]> {
  return (await database.rows({ text })).map(([store, missing, differs, heads, heldFork]) => ({
    store: store ?? '',
    missing: Number(missing),
    differs: differs === 't',
    ...(heads === 'contradicts' || heads === 'forged' ? { heads } : {}),
    ...(typeof heldFork === 'string' ? { heldFork: Number(heldFork) } : {}),
  }));
}
