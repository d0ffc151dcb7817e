import { Problem } from '../../contracts/problems.js';
import type { Long } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';

/** Where the chain of the records begins that are not archived. */
export interface ChainStart {
  /** The last record that is archived; 0 if none is. */
  readonly position: Long;
  readonly hash: Buffer;
  /** What the chain itself says of it agrees: its segment was sealed with this hash, and archived. */
  readonly isRecorded: boolean;
  /** The position of the log behind the archived ones. */
  readonly low: Long;
}

/** Only what is in the chain counts: anyone who can delete rows can mark their segment as archived. */
export async function chainStart(database: Pick<Database, 'rows'>): Promise<ChainStart> {
  const [row] = await database.rows({
    text: `SELECT s.first_system - 1, encode(s.prev_hash, 'hex'), s.low, s.low = 0 OR (
        EXISTS (SELECT 1 FROM svc_system_events v WHERE v.event_type = 'SegmentSealed' AND v.global_position >= s.low
          AND v.data ->> 'high' = s.low::text AND v.data ->> 'lastHash' = encode(s.prev_hash, 'hex'))
        AND EXISTS (SELECT 1 FROM svc_system_events v WHERE v.event_type = 'OperatorActed' AND v.global_position >= s.low
          AND v.data ->> 'action' = 'segments archive' AND v.data ->> 'target' LIKE '% to ' || s.low - 1))
      FROM svc_segments s WHERE s.state <> 'archived' ORDER BY s.low LIMIT 1`,
  });
  const [position, hash, low, isRecorded] = row ?? [];
  return {
    position: Number(position ?? 0),
    hash: Buffer.from(hash ?? '00', 'hex'),
    isRecorded: isRecorded !== 'f',
    low: Number(low ?? 0),
  };
}

/** Refuses to read records from a position on of which some are archived. */
export async function mustHoldRecords(database: Pick<Database, 'rows'>, from: Long): Promise<void> {
  const { position } = await chainStart(database);
  if (from <= position)
    throw new Problem('history-archived', {
      detail: `The records up to ${position} of the system stream are archived: attach their segments first (svc segments attach), or give --from ${position + 1}.`,
    });
}
