import type { StoredEvent } from '../../contracts/event-store.js';
import type { EnvelopeScope } from '../../contracts/message.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { Row } from '../database/database.js';

const shared = 'event_id, event_type, data, metadata, host';

/** Both tables as one list of the same columns, in the order `storedEventOf` takes them. */
export const eventColumns = `global_position, stream_id, stream_position, ${shared}, occurred_at, recorded_at, NULL::bigint AS original_position`;
export const systemColumns = `global_position, '${SystemEventStreams.streamId}'::uuid AS stream_id, stream_position, ${shared}, recorded_at AS occurred_at, recorded_at, original_position`;

interface Metadata {
  readonly correlationId?: string;
  readonly causationId?: string;
  readonly scope?: EnvelopeScope;
  readonly traceparent?: string;
  readonly v?: number;
}

export function storedEventOf(row: Row): StoredEvent {
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
  ] = row;
  const payload: unknown = JSON.parse(data ?? 'null');
  const occurredAt = timestampOf(occurred);
  return {
    messageId: messageId ?? '',
    messageType: messageType ?? '',
    payload:
      original === null || original === undefined
        ? payload
        : { ...(payload as object), originalStreamPosition: Number(original) },
    streamId: streamId ?? '',
    streamPosition: Number(position),
    globalPosition: Number(global),
    timestamp: occurredAt,
    occurredAt,
    recordedAt: timestampOf(recorded),
    host: host ?? '',
    v: 1,
    ...(JSON.parse(metadata ?? '{}') as Metadata),
  };
}

/** `2026-11-15 02:22:52.123456+00` as ISO 8601, microseconds kept; a pool of the application may not be in UTC. */
function timestampOf(text: string | null | undefined): string {
  const [, day, time, sign, hours, minutes = '00'] = timestamptz.exec(text ?? '') ?? [];
  if (day === undefined || time === undefined) return '';
  return `${day}T${time}${hours === '00' && minutes === '00' ? 'Z' : `${sign}${hours}:${minutes}`}`;
}

const timestamptz = /^(\S+) ([\d:.]+)([+-])(\d\d)(?::(\d\d))?/;
