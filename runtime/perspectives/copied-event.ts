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
  #lastSecond = Number.NaN;
  #secondText = '';

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
    const isLate = late?.[0] === 1;
    if (this.upcasters === undefined) return { late: isLate, key, event };
    try {
      return { late: isLate, key, event: this.upcasters.apply(event) };
    } catch (fault) {
      return { late: isLate, key, event, fault };
    }
  }

  /** Most events are recorded when they happen, and many at once. */
  #textOf(micros: number): string {
    if (micros === this.#lastMicros) return this.#lastText;
    const second = Math.floor(micros / 1_000_000);
    if (second !== this.#lastSecond) {
      this.#lastSecond = second;
      this.#secondText = new Date(second * 1_000).toISOString().slice(0, 19);
    }
    this.#lastMicros = micros;
    return (this.#lastText = this.#secondText + fractionText(micros - second * 1_000_000));
  }
}

/** Microseconds from 1970 to PostgreSQL's 2000. */
const epoch = 946_684_800_000_000;

type Field = Buffer | null | undefined;

const textOf = (field: Field): string => field?.toString('utf8') ?? 'null';

/** Exact up to 2^53, as positions and times are. */
const longOf = (field: Field): number =>
  field === null || field === undefined ? 0 : field.readInt32BE(0) * 0x1_0000_0000 + field.readUInt32BE(4);

const digits = Buffer.from('0123456789abcdef', 'latin1');
const spelled = Buffer.alloc(36, '-');

/** Spelled in one piece: a text put together of parts is slow as a key. */
function uuidOf(field: Field): Uuid {
  if (field === null || field === undefined) return '';
  for (let index = 0, at = 0; index < 16; index++) {
    if (at === 8 || at === 13 || at === 18 || at === 23) at++;
    const byte = field[index] ?? 0;
    spelled[at++] = digits[byte >> 4] ?? 0;
    spelled[at++] = digits[byte & 15] ?? 0;
  }
  return spelled.toString('latin1');
}

/** As PostgreSQL writes it: no zeros at the end. */
function fractionText(micros: number): string {
  if (micros === 0) return 'Z';
  let places = 6;
  let value = micros;
  for (; value % 10 === 0; value /= 10) places--;
  return `.${String(value).padStart(places, '0')}Z`;
}
