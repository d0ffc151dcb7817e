import type { StoredEvent } from '../../contracts/event-store.js';
import { type Event, type MessageClass, typeNameOf } from '../../contracts/message.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import { isSystemMessage } from '../../contracts/system-messages.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { CopiedRow } from '../database/copy-out.js';
import type { LogEntry } from './log-entry.js';

const rest = 'event_id, event_type, data, metadata, host';
const domain = `late, origin, global_position, stream_id, stream_position, ${rest}, occurred_at, recorded_at, NULL::bigint AS original_position`;
const system = `false, 0::smallint, global_position, '${SystemEventStreams.streamId}'::uuid, stream_position, ${rest}, recorded_at, recorded_at, original_position`;

/** So many events from a position on, as a binary copy that `CopiedEvents` reads. */
export function copyText(
  events: readonly MessageClass[],
  { after, to, limit }: { readonly after: Long; readonly to: Long; readonly limit: number },
): string {
  const systems = events.filter(isSystemMessage).length;
  const types = events.map((type) => `'${typeNameOf(type).replaceAll("'", "''")}'`).join(', ');
  const where = `WHERE global_position > ${after} AND global_position <= ${to} AND event_type IN (${types}) ORDER BY global_position LIMIT ${limit}`;
  const sources = [
    ...(systems < events.length ? [`(SELECT ${domain} FROM svc_events ${where})`] : []),
    ...(systems > 0 ? [`(SELECT ${system} FROM svc_system_events ${where})`] : []),
  ];
  const query =
    sources.length === 1
      ? (sources[0] ?? '')
      : `SELECT * FROM (${sources.join(' UNION ALL ')}) u ORDER BY global_position LIMIT ${limit}`;
  return `COPY (${query}) TO STDOUT (FORMAT binary)`;
}

/** Rows of a binary copy of the log as entries of it. */
export class CopiedEvents {
  #lastMicros = Number.NaN;
  #lastText = '';

  constructor(
    private readonly stores: ReadonlyMap<number, Uuid>,
    private readonly upcasters: Upcasters | undefined,
  ) {}

  entryOf(row: CopiedRow): LogEntry {
    const [late, origin, global, stream, position, id, type, data, metadata, host, occurred, recorded] = row;
    const original = row[12];
    const at = longOf(occurred) + epoch;
    const occurredAt = this.#textOf(at);
    const streamPosition = longOf(position);
    const payload: unknown = JSON.parse(textOf(data));
    const event = {
      messageId: uuidOf(id),
      messageType: textOf(type),
      payload:
        original === null || original === undefined
          ? payload
          : { ...(payload as object), originalStreamPosition: longOf(original) },
      streamId: uuidOf(stream),
      streamPosition,
      globalPosition: longOf(global),
      timestamp: occurredAt,
      occurredAt,
      recordedAt: this.#textOf(longOf(recorded) + epoch),
      host: textOf(host),
      v: 1,
      ...(JSON.parse(textOf(metadata)) as object),
    } as StoredEvent<Event>;
    const key = { at, store: this.stores.get(origin?.readInt16BE(0) ?? 0) ?? '', position: streamPosition };
    const place = { late: late?.[0] === 1, key };
    if (this.upcasters === undefined) return { ...place, event };
    try {
      return { ...place, event: this.upcasters.apply(event) };
    } catch (fault) {
      return { ...place, event, fault };
    }
  }

  /** Most events are recorded when they happen, and many at once. */
  #textOf(micros: number): string {
    if (micros === this.#lastMicros) return this.#lastText;
    this.#lastMicros = micros;
    return (this.#lastText = timestampOf(micros));
  }
}

/** Microseconds from 1970 to PostgreSQL's 2000. */
const epoch = 946_684_800_000_000;

type Field = Buffer | null | undefined;

const textOf = (field: Field): string => field?.toString('utf8') ?? 'null';

/** Exact up to 2^53, as positions and times are. */
const longOf = (field: Field): number =>
  field === null || field === undefined ? 0 : field.readInt32BE(0) * 0x1_0000_0000 + field.readUInt32BE(4);

function uuidOf(field: Field): Uuid {
  const hex = field?.toString('hex') ?? '';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** As PostgreSQL writes it: no zeros at the end of the fraction. */
function timestampOf(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = micros - seconds * 1_000_000;
  const text = new Date(seconds * 1_000).toISOString().slice(0, 19);
  if (fraction === 0) return `${text}Z`;
  return `${text}.${String(fraction).padStart(6, '0').replace(/0+$/, '')}Z`;
}
