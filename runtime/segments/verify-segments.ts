import type { Database } from '../database/database.js';

/** What is wrong with a segment. */
type SegmentFault = 'events-altered' | 'records-altered' | 'not-in-the-chain' | 'files-altered';

export interface VerifiedSegment {
  readonly low: number;
  readonly high: number;
  readonly events: number;
  readonly records: number;
  readonly faults: readonly SegmentFault[];
}

interface SegmentsReport {
  readonly ok: boolean;
  readonly segments: readonly VerifiedSegment[];
}

interface Digests {
  readonly events: number;
  readonly records: number;
  readonly eventsSha256: string;
  readonly recordsSha256: string;
}

export interface SegmentDigests extends Digests {
  /** Where the chain is at its end. */
  readonly lastHash: string;
}

/** What the chain says of a segment. */
export interface Sealed extends SegmentDigests {
  readonly low: number;
  readonly high: number;
}

/** A multiple of the stretch that is hashed together: the digests do not depend on it. */
const stepSize = 16_384;

/**
 * Computes the digests of every sealed segment in the database again and compares them with those in the chain, which svc audit verify
 * checks. Works through the log in steps, so that neither memory nor a statement grows with it.
 */
export async function verifySegments(
  database: Pick<Database, 'rows'>,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<SegmentsReport> {
  const recorded = await recordedSegments(database);
  const [bounds, archived] = await Promise.all([
    boundsOf(database, 'sealed'),
    boundsOf(database, 'archived'),
  ]);
  for (const { low, high } of recorded.values())
    if (!bounds.has(low) && !archived.has(low)) bounds.set(low, high);
  const segments: VerifiedSegment[] = [];
  for (const [low, high] of [...bounds].toSorted(([a], [b]) => a - b)) {
    const found = await digestsOf(database, low, high);
    segments.push({
      low,
      high,
      events: found.events,
      records: found.records,
      faults: faultsIn(recorded.get(low), high, found),
    });
    progress(segments.length, bounds.size);
  }
  return { ok: segments.every(({ faults }) => faults.length === 0), segments };
}

export function faultsIn(recorded: Sealed | undefined, high: number, found: Digests): SegmentFault[] {
  if (recorded === undefined || recorded.high !== high) return ['not-in-the-chain'];
  const isSameEvents = recorded.events === found.events && recorded.eventsSha256 === found.eventsSha256;
  const isSameRecords = recorded.records === found.records && recorded.recordsSha256 === found.recordsSha256;
  return [
    ...(isSameEvents ? [] : ['events-altered' as const]),
    ...(isSameRecords ? [] : ['records-altered' as const]),
  ];
}

/** What the chain says; of two records for one segment the first counts. */
export async function recordedSegments(database: Pick<Database, 'rows'>): Promise<Map<number, Sealed>> {
  const rows = await database.rows({
    text: `SELECT data ->> 'low', data ->> 'high', data ->> 'events', data ->> 'records', data ->> 'eventsSha256', data ->> 'recordsSha256', data ->> 'lastHash'
      FROM svc_system_events WHERE event_type = 'SegmentSealed' ORDER BY global_position DESC`,
  });
  return new Map(
    rows.map(([low, high, events, records, eventsSha256, recordsSha256, lastHash]) => [
      Number(low),
      {
        low: Number(low),
        high: Number(high),
        events: Number(events),
        records: Number(records),
        eventsSha256: eventsSha256 ?? '',
        recordsSha256: recordsSha256 ?? '',
        lastHash: lastHash ?? '',
      },
    ]),
  );
}

async function boundsOf(
  database: Pick<Database, 'rows'>,
  state: 'sealed' | 'archived',
): Promise<Map<number, number>> {
  const rows = await database.rows({
    text: 'SELECT low, high FROM svc_segments WHERE state = $1',
    values: [state],
  });
  return new Map(rows.map(([low, high]) => [Number(low), Number(high)]));
}

async function digestsOf(database: Pick<Database, 'rows'>, low: number, high: number): Promise<Digests> {
  let [events, records, eventsSha256, recordsSha256] = [0, 0, '', ''];
  for (let from = low; from < high; from += stepSize) {
    const [row] = await database.rows({
      text: `SELECT r_events, r_records, encode(r_events_sha256, 'hex'), encode(r_records_sha256, 'hex')
        FROM svc_segment_digest($1, $2, $3, $4, decode($5, 'hex'), decode($6, 'hex'))`,
      values: [from, Math.min(from + stepSize, high), events, records, eventsSha256, recordsSha256],
    });
    events = Number(row?.[0]);
    records = Number(row?.[1]);
    eventsSha256 = row?.[2] ?? '';
    recordsSha256 = row?.[3] ?? '';
  }
  return { events, records, eventsSha256, recordsSha256 };
}
