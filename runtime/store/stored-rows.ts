import type { StoredEvent } from '../../contracts/event-store.js';
import type { EnvelopeScope } from '../../contracts/message.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { readPayload } from '../audit/audit-timestamp.js';
import type { Row } from '../database/database.js';

const shared = 'event_id, event_type, data, metadata, host';

/** Both tables with the same columns, in the order that `storedEventOf` expects. */
export const eventColumns = `global_position, stream_id, stream_position, ${shared}, occurred_at, recorded_at, NULL::bigint AS original_position, origin`;
export const systemColumns = `global_position, '${SystemEventStreams.streamId}'::uuid AS stream_id, stream_position, ${shared}, recorded_at AS occurred_at, recorded_at, original_position, 0::smallint AS origin`;

interface Metadata {
  readonly correlationId?: string;
  readonly causationId?: string;
  readonly scope?: EnvelopeScope;
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly count?: number;
  readonly depth?: number;
  readonly v?: number;
  readonly sealed?: readonly string[];
  /** For the digest in its audit; not shown, because a hidden value could be guessed with it. */
  salt?: string;
}

/** The number of these columns. */
export const columnCount = 12;

/** `storeOf` returns the store of a received event. */
export function storedEventOf(row: Row, storeOf?: (origin: string) => Uuid | undefined): StoredEvent {
  const [
    global,
    streamId,
    position,
    messageId,
    messageType,
    data,
    metadata,
    host,
    occurred,
    recorded,
    original,
    origin,
  ] = row;
  const occurredAt = timestampOf(occurred);
  const recordedAt = timestampOf(recorded);
  const store = isForeign(origin) ? storeOf?.(origin) : undefined;
  return {
    v: 1,
    ...metadataIn(metadata),
    messageId: messageId ?? '',
    messageType: messageType ?? '',
    payload: readPayload(
      messageType ?? '',
      JSON.parse(data ?? 'null'),
      originalPositionOf(original),
      recordedAt,
    ),
    streamId: streamId ?? '',
    streamPosition: Number(position),
    globalPosition: Number(global),
    timestamp: occurredAt,
    occurredAt,
    recordedAt,
    host: host ?? '',
    ...(store === undefined ? {} : { store }),
  };
}

/** Spread it first: nothing in it may replace what the columns hold. */
export function metadataIn(text: string | null | undefined): Metadata {
  const metadata = JSON.parse(text ?? 'null') as Metadata | null;
  if (metadata?.salt !== undefined) delete metadata.salt;
  return metadata ?? {};
}

const originalPositionOf = (original: string | null | undefined): Long | undefined =>
  original === null || original === undefined ? undefined : Number(original);

/** The origin of a row of another store. */
export const originOf = (row: Row): string | undefined => {
  const origin = row[columnCount - 1];
  return isForeign(origin) ? origin : undefined;
};

const isForeign = (origin: string | null | undefined): origin is string =>
  origin !== undefined && origin !== null && origin !== '0';

/** `2026-11-15 02:22:52.123456+00` as ISO 8601 with microseconds; a pool of the service may not use UTC. */
export function timestampOf(text: string | null | undefined): string {
  const [, day, time, sign, hours, minutes = '00'] = timestamptz.exec(text ?? '') ?? [];
  if (day === undefined || time === undefined) return '';
  return `${day}T${time}${hours === '00' && minutes === '00' ? 'Z' : `${sign}${hours}:${minutes}`}`;
}

const timestamptz = /^(\S+) ([\d:.]+)([+-])(\d\d)(?::(\d\d))?/;
