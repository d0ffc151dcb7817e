import { isUuid, type Long } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import type { Audit } from './event-comparisons.js';

/** Of audits whose events are not here, those about an archived event: it came before all that are here of its stream. */
export async function archivedAmong(
  database: Pick<Database, 'rows'>,
  low: Long,
  audits: readonly Audit[],
): Promise<ReadonlySet<Audit>> {
  const asked = low === 0 ? [] : audits.filter(({ facts }) => isUuid(facts.streamId));
  if (asked.length === 0) return new Set();
  // Of a received stream, positions may be missing for other reasons.
  const rows = await database.rows({
    text: `SELECT n FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY a(stream, position, n)
      WHERE EXISTS (SELECT 1 FROM svc_stream_heads h WHERE h.stream_id = a.stream AND h.position >= a.position AND h.first_global < $3)
        AND NOT EXISTS (SELECT 1 FROM svc_events v WHERE v.stream_id = a.stream AND v.origin = 0 AND v.stream_position < a.position)`,
    values: [asked.map(({ facts }) => facts.streamId), asked.map(({ facts }) => Number(facts.position)), low],
  });
  return new Set(rows.flatMap(([n]) => asked[Number(n) - 1] ?? []));
}
