import { createHash } from 'node:crypto';
import type { Long, Uuid } from '../../contracts/scalars.js';
import { uuids } from '../store/binary-arrays.js';
import type { Session } from '../database/database.js';
import { metadataIn } from '../store/stored-rows.js';
import type { StoredTwin, StreamEnd } from './decide-import.js';
import type { FileEvent } from './read-event.js';
import { copiedColumns } from './copied-row.js';
import { mustHoldStreams } from '../store/must-hold.js';

type Reader = Pick<Session, 'rows'>;

/** What is stored that concerns some events. */
interface Known {
  /** The head of the log before the rest was read. */
  readonly head: Long;
  readonly stored: ReadonlyMap<Uuid, StoredTwin>;
  readonly ends: ReadonlyMap<Uuid, StreamEnd>;
}

export async function readKnown(session: Reader, events: readonly FileEvent[]): Promise<Known> {
  const [[head] = []] = await session.rows({ text: 'SELECT svc_head()' });
  const streams = [...new Set(events.map(({ streamId }) => streamId))];
  const stored = await storedTwins(session, events);
  const ends = await streamEnds(session, streams);
  // What is archived cannot be compared; asked last, so that an archive made meanwhile is noticed.
  await mustHoldStreams(session, streams);
  return { head: Number(head), stored, ends };
}

async function storedTwins(session: Reader, events: readonly FileEvent[]): Promise<Known['stored']> {
  const rows = await session.rows({
    text: `SELECT event_id, stream_id, stream_position, event_type, svc_micros(occurred_at), metadata, data
      FROM svc_events WHERE event_id = ANY($1::uuid[]) AND origin = 0`,
    values: [uuids(events.map(({ eventId }) => eventId))],
  });
  return new Map(
    rows.map(([id, streamId, position, eventType, at, metadata, data]) => [
      id ?? '',
      {
        streamId: streamId ?? '',
        streamPosition: Number(position),
        eventType: eventType ?? '',
        occurredAt: BigInt(at ?? 0),
        metadata: withoutSalt(metadata ?? '{}'),
        data: data ?? 'null',
      },
    ]),
  );
}

const withoutSalt = (metadata: string): string =>
  metadata.includes('"salt"') ? JSON.stringify(metadataIn(metadata)) : metadata;

/** As svc_is_late decides; of an event of another store with the same time nobody asks which store comes first. */
const endsText = `SELECT s.id, e.position, svc_micros(e.latest)
  FROM unnest($1::uuid[]) s(id) CROSS JOIN LATERAL (SELECT
    coalesce((SELECT v.stream_position FROM svc_events v WHERE v.stream_id = s.id AND v.origin = 0
        AND v.global_position >= (SELECT min(o.low) FROM svc_segments o WHERE o.state = 'open') ORDER BY v.stream_position DESC LIMIT 1),
      (SELECT q.position FROM svc_stream_heads q WHERE q.stream_id = s.id AND q.origin = 0), 0) AS position,
    greatest((SELECT v.occurred_at FROM svc_events v WHERE v.stream_id = s.id AND v.origin = 0 AND NOT v.late
        AND v.occurred_at <= v.recorded_at ORDER BY v.stream_position DESC LIMIT 1),
      (SELECT max(v.occurred_at) + interval '1 microsecond' FROM svc_events v
        WHERE v.stream_id = s.id AND (v.origin <> 0 OR v.occurred_at > v.recorded_at))) AS latest) e
  WHERE e.position > 0 OR e.latest IS NOT NULL`;

async function streamEnds(session: Reader, streams: readonly Uuid[]): Promise<Known['ends']> {
  const rows = await session.rows({ text: endsText, values: [uuids(streams)] });
  return new Map(
    rows.map(([id, position, latest]) => [
      id ?? '',
      {
        position: Number(position),
        latest: latest === null || latest === undefined ? undefined : BigInt(latest),
      },
    ]),
  );
}

/** Imported events between two positions. */
export interface ImportedRange {
  readonly count: number;
  readonly from: Long;
  readonly to: Long;
  readonly sha256: string;
}

/** The imported events between two positions, as they are stored; undefined if there are none. */
export async function readImported(
  session: Pick<Session, 'copyBytes' | 'rows'>,
  low: Long,
  high: Long,
): Promise<ImportedRange | undefined> {
  const where = `FROM svc_events WHERE imported AND global_position BETWEEN ${low} AND ${high}`;
  const digest = createHash('sha256');
  let count = 0;
  const copy = `COPY (SELECT ${copiedColumns} ${where} ORDER BY global_position) TO STDOUT (FORMAT binary)`;
  await session.copyBytes(copy, (message, at) => {
    // With the number of its columns, as it is copied in.
    digest.update(message.subarray(at - 2));
    count++;
  });
  if (count === 0) return undefined;
  const [[from, to] = []] = await session.rows({
    text: `SELECT min(global_position), max(global_position) ${where}`,
  });
  return { count, from: Number(from), to: Number(to), sha256: digest.digest('hex') };
}

/** What killed imports left without an EventsImported. */
export async function unrecordedImport(
  session: Pick<Session, 'copyBytes' | 'rows'>,
): Promise<ImportedRange | undefined> {
  const [[low, high] = []] = await session.rows({
    text: 'SELECT min(recorded_to) + 1, max(high) FROM svc_imports WHERE high > recorded_to',
  });
  return low === null || low === undefined ? undefined : readImported(session, Number(low), Number(high));
}

export const markRecorded = 'UPDATE svc_imports SET recorded_to = high WHERE high > recorded_to';
