import type { Database } from '../database/database.js';

export interface ListedSegment {
  /** Its first position. */
  readonly low: number;
  /** The first position after it. */
  readonly high: number;
  readonly state: string;
  /** Known once it is sealed. */
  readonly events: number | null;
  readonly records: number | null;
  /** Of both tables with their indexes. */
  readonly bytes: number;
  readonly sealedAt: string | null;
  /** Where its files are, and their size; one that is attached again keeps them. */
  readonly archive: { readonly location: string; readonly bytes: number } | null;
}

/** All segments, the oldest first. */
export async function listSegments(database: Pick<Database, 'rows'>): Promise<readonly ListedSegment[]> {
  const rows = await database.rows({
    text: `SELECT low, high, state, CASE state WHEN 'open' THEN NULL ELSE events END, CASE state WHEN 'open' THEN NULL ELSE records END,
        coalesce(pg_total_relation_size(to_regclass('svc_events_' || low)), 0) +
          coalesce(pg_total_relation_size(to_regclass('svc_system_events_' || low)), 0),
        to_char(sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), a.location, a.bytes
      FROM svc_segments LEFT JOIN svc_archives a USING (low) ORDER BY low`,
  });
  return rows.map(([low, high, state, events, records, bytes, sealedAt, location, archivedBytes]) => ({
    low: Number(low),
    high: Number(high),
    state: state ?? '',
    events: numberOrNull(events),
    records: numberOrNull(records),
    bytes: Number(bytes),
    sealedAt: sealedAt ?? null,
    archive: typeof location === 'string' ? { location, bytes: Number(archivedBytes) } : null,
  }));
}

const numberOrNull = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Number(text);
