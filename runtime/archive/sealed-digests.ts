import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';
import type { ArchivedSegment } from './archived-segment.js';
import type { SegmentDigests } from './segment-digest.js';

/** What the chain says of a segment; the first record counts, as when it is verified. */
export async function sealedDigests(
  database: Pick<Database, 'rows'>,
  { low, high }: ArchivedSegment,
): Promise<SegmentDigests> {
  const [row] = await database.rows({
    text: `SELECT data ->> 'events', data ->> 'records', data ->> 'eventsSha256', data ->> 'recordsSha256', data ->> 'lastHash'
      FROM svc_system_events WHERE event_type = 'SegmentSealed' AND global_position >= $2 AND data ->> 'low' = $1
        AND data ->> 'high' = $2::bigint::text ORDER BY global_position LIMIT 1`,
    values: [low, high],
  });
  if (row === undefined)
    throw new Problem('invalid-setup', {
      detail: `The system stream has no SegmentSealed for the segment ${low} to ${high - 1}; only a segment that the chain covers can be archived.`,
    });
  const [events, records, eventsSha256, recordsSha256, lastHash] = row;
  return {
    events: Number(events),
    records: Number(records),
    eventsSha256: eventsSha256 ?? '',
    recordsSha256: recordsSha256 ?? '',
    lastHash: lastHash ?? '',
  };
}
