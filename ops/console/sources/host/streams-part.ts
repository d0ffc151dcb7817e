import { isUuid } from '../../../../contracts/scalars.js';
import type { Database, Row } from '../../../../runtime/database/database.js';
import { eventEntry, PostgresLog } from '../../../../runtime/log/postgres-log.js';
import type { Service } from '../../../../runtime/service/service.js';
import type { StreamEvent, StreamEvents, StreamItem, StreamsPart, StreamStep } from '../../model/streams.js';
import { rowSteps } from './stream-rows.js';

const pageSize = 1_000;
const maxStreams = 50;
/** The newest events among which the latest streams are found. */
const recentEvents = 500;
/** What is folded in memory to show one row. */
const maxFolded = { events: 5_000, bytes: 16 << 20 };

/** A stream may have events of several stores: those of this store are shown, else those of the first. */
const ofStream = `stream_id = $1 AND origin = (SELECT min(origin) FROM svc_events WHERE stream_id = $1)`;

export const streamsPart = (database: Database, { parts }: Pick<Service, 'parts'>): StreamsPart => ({
  latest: async () => {
    const text = `SELECT DISTINCT ON (stream_id) stream_id, event_type, stream_position, svc_iso_time(recorded_at), global_position
      FROM (SELECT * FROM svc_events ORDER BY global_position DESC LIMIT ${recentEvents}) newest
      ORDER BY stream_id, global_position DESC`;
    const rows = await database.rows({ text });
    const newestFirst = rows.toSorted((one, other) => Number(other[4]) - Number(one[4]));
    return newestFirst.slice(0, maxStreams).map(itemOf);
  },
  events: (streamId, after) => streamEvents(database, streamId, after, pageSize),
  step: (streamId, position) => stepOf(database, parts, streamId, position),
});

/** A part of a stream; undefined if there is no such stream. */
export async function streamEvents(
  database: Database,
  streamId: string,
  after: number,
  limit: number,
): Promise<StreamEvents | undefined> {
  if (!isUuid(streamId)) return undefined;
  const [lasts, rows] = await Promise.all([
    database.rows({
      text: `SELECT max(stream_position) FROM svc_events WHERE ${ofStream}`,
      values: [streamId],
    }),
    database.rows({
      text: `SELECT ${listed} FROM svc_events WHERE ${ofStream} AND stream_position > $2 ORDER BY stream_position LIMIT $3`,
      values: [streamId, after, limit],
    }),
  ]);
  const last = Number(lasts[0]?.[0] ?? 0);
  return last === 0 ? undefined : { streamId, last, events: rows.map(eventOf) };
}

const listed = `stream_position, global_position, event_type, svc_iso_time(occurred_at), svc_iso_time(recorded_at), host,
  coalesce(metadata -> 'scope' ->> 'userId', metadata -> 'scope' ->> 'apiKey'), metadata ->> 'correlationId'`;

function eventOf(row: Row): StreamEvent {
  const [position, globalPosition, eventType, occurredAt, recordedAt, host, user, correlationId] = row;
  return {
    position: Number(position),
    globalPosition: Number(globalPosition),
    eventType: eventType ?? '',
    occurredAt: occurredAt ?? '',
    recordedAt: recordedAt ?? '',
    host: host ?? '',
    user: user ?? undefined,
    correlationId: correlationId ?? undefined,
  };
}

const itemOf = ([streamId, eventType, position, recordedAt]: Row): StreamItem => ({
  streamId: streamId ?? '',
  eventType: eventType ?? '',
  position: Number(position),
  recordedAt: recordedAt ?? '',
});

async function stepOf(
  database: Database,
  parts: Service['parts'],
  streamId: string,
  position: number,
): Promise<StreamStep | undefined> {
  if (!isUuid(streamId)) return undefined;
  const log = new PostgresLog(database, parts.unitStore?.upcasters);
  const read = async (columns: string, where: string): Promise<readonly Row[]> =>
    database.rows({
      text: `SELECT ${columns} FROM svc_events v WHERE ${ofStream} AND stream_position ${where} $2 ORDER BY stream_position LIMIT ${maxFolded.events}`,
      values: [streamId, position],
    });
  const [[line], [own]] = await Promise.all([read(listed, '='), read(eventEntry, '=')]);
  if (line === undefined || own === undefined) return undefined;
  const [entry] = await log.entriesOf([own]);
  if (entry === undefined) return undefined;
  const { event } = entry;
  const step = {
    ...eventOf(line),
    eventId: event.messageId,
    payload: parts.policy.bodyOf(event.messageType, event.payload),
  };
  const tooLong = await foldRefusal(database, streamId, position);
  if (tooLong !== undefined) return { ...step, rows: [], withoutRows: tooLong };
  const entries = await log.entriesOf(await read(eventEntry, '<='));
  return { ...step, rows: await rowSteps(parts.perspectives?.declared ?? [], parts.policy, entries) };
}

/** Why the events up to a position are not folded, if there are too many. */
async function foldRefusal(
  database: Database,
  streamId: string,
  position: number,
): Promise<string | undefined> {
  const [row] = await database.rows({
    text: `SELECT count(*), coalesce(sum(octet_length(data::text)), 0) FROM (SELECT data FROM svc_events
      WHERE ${ofStream} AND stream_position <= $2 ORDER BY stream_position LIMIT ${maxFolded.events + 1}) e`,
    values: [streamId, position],
  });
  if (Number(row?.[0]) > maxFolded.events)
    return `Rows are shown up to event ${maxFolded.events} of a stream: more are not folded for a page.`;
  if (Number(row?.[1]) > maxFolded.bytes)
    return `The events up to here have more than ${maxFolded.bytes >> 20} MB: they are not folded for a page.`;
  return undefined;
}
