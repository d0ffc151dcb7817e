import type { Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';

/** What is wrong with the system stream of another store, as far as we hold it. */
export interface ReceivedGap {
  readonly store: Uuid;
  /** Records between the first that came and the last that its store has announced, which did not come. */
  readonly missing: number;
  /** The head that its store announced is not what we hold there. */
  readonly differs: boolean;
}

const maxGaps = 100;

// Before the first that came nobody listened; behind the last the head says how far its chain goes.
const text = `SELECT * FROM (
    SELECT o.store, greatest(o.last_position, o.head_position) - o.first_position + 1 - o.records AS missing,
      coalesce(r.hash <> o.head_hash, false) AS differs
    FROM svc_origins o LEFT JOIN svc_received_system_events r ON r.origin = o.origin AND r.stream_position = o.head_position
    WHERE o.records > 0) g
  WHERE missing > 0 OR differs ORDER BY missing DESC LIMIT ${maxGaps}`;

/** The stores of which something did not come, or differs; most of it first. */
export async function readReceivedGaps(database: Pick<Database, 'rows'>): Promise<ReceivedGap[]> {
  return (await database.rows({ text })).map(([store, missing, differs]) => ({
    store: store ?? '',
    missing: Number(missing),
    differs: differs === 't',
  }));
}
