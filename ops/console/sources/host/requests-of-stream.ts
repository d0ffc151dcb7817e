import { isUuid } from '../../../../contracts/scalars.js';
import type { Inspection } from '../../../../endpoints/inspection/inspection.js';
import type { RequestRecord } from '../../../../endpoints/inspection/request-recorder.js';
import type { Database } from '../../../../runtime/database/database.js';

const maxEvents = 1_000;
const prefix = 'stream:';
/** More than are remembered. */
const all = 10_000;

/** The stream that a search names, and the rest of the search; any id may be that of a stream. */
export function streamSearch(text: string): { readonly streamId: string; readonly rest: string } | undefined {
  const terms = text.trim().toLowerCase().split(/\s+/);
  const term = terms.find((one) => isUuid(one) || one.startsWith(prefix));
  if (term === undefined) return undefined;
  const streamId = term.startsWith(prefix) ? term.slice(prefix.length) : term;
  return { streamId, rest: terms.filter((one) => one !== term).join(' ') };
}

/** The remembered requests that stored events in a stream, newest first. */
export async function requestsOfStream(
  database: Database,
  inspection: Inspection,
  { streamId, rest }: { readonly streamId: string; readonly rest: string },
  limit: number,
): Promise<readonly RequestRecord[]> {
  if (!isUuid(streamId)) return [];
  const rows = await database.rows({
    text: `SELECT DISTINCT metadata ->> 'correlationId' FROM (SELECT metadata FROM svc_events WHERE stream_id = $1
      AND origin = (SELECT min(origin) FROM svc_events WHERE stream_id = $1) ORDER BY stream_position DESC LIMIT ${maxEvents}) e`,
    values: [streamId],
  });
  const correlations = new Set(rows.map(([id]) => id));
  return inspection
    .requests({ text: rest, limit: all })
    .filter(({ correlationId }) => correlations.has(correlationId))
    .slice(0, limit);
}
