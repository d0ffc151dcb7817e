import type { Followed } from '../../contracts/event-origin.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { type Event, typeNameOf } from '../../contracts/message.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import { isSystemMessage } from '../../contracts/system-messages.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import { readPayload } from '../audit/audit-timestamp.js';
import { metadataIn } from '../store/stored-rows.js';
import type { LogEntry } from './log-entry.js';
import { entryWith } from './open-entries.js';
import { ofOrigin } from '../store/origin-sql.js';

// Fields of fixed length that are never null come first, so their offsets are known.
const rest = 'event_type, host, metadata, data';
const systemStream = `'${SystemEventStreams.streamId}'::uuid`;
const domain = `late, origin, global_position, stream_id, stream_position, event_id, occurred_at, recorded_at, NULL::bigint AS original_position, ${rest}`;
const system = `false, 0::smallint, global_position, ${systemStream}, stream_position, event_id, recorded_at, recorded_at, original_position, ${rest}`;
/** Each field starts with its length in four bytes. */
const lengthBytes = 4;
const lateAt = lengthBytes;
const originAt = lateAt + 1 + lengthBytes;
const globalAt = originAt + 2 + lengthBytes;
const streamAt = globalAt + 8 + lengthBytes;
const positionAt = streamAt + 16 + lengthBytes;
const idAt = positionAt + 8 + lengthBytes;
const occurredAt = idAt + 16 + lengthBytes;
const recordedAt = occurredAt + 8 + lengthBytes;
const originalAt = recordedAt + 8 + lengthBytes;

/** One of several disjoint parts of all streams. */
export interface Partition {
  readonly index: number;
  readonly of: number;
}

interface Range {
  readonly after: Long;
  readonly to: Long;
  readonly partition?: Partition | undefined;
}

/** The events between two positions, as a binary copy that `CopiedEvents` reads. */
export function copyText({ events, origin = 'own' }: Followed, { after, to, partition }: Range): string {
  const systems = events.filter(isSystemMessage).length;
  const types = events.map((type) => `'${typeNameOf(type).replaceAll("'", "''")}'`).join(', ');
  const where = `WHERE global_position > ${after} AND global_position <= ${to} AND event_type IN (${types})`;
  const of = (stream: string): string =>
    partition === undefined
      ? ''
      : ` AND (uuid_hash(${stream}) & 2147483647) % ${partition.of} = ${partition.index}`;
  const order = 'ORDER BY global_position';
  const sources = [
    ...(systems < events.length
      ? [`(SELECT ${domain} FROM svc_events ${where} AND ${ofOrigin(origin)}${of('stream_id')} ${order})`]
      : []),
    ...(systems > 0
      ? [`(SELECT ${system} FROM svc_system_events ${where}${of(systemStream)} ${order})`]
      : []),
  ];
  const query =
    sources.length === 1 ? (sources[0] ?? '') : `SELECT * FROM (${sources.join(' UNION ALL ')}) u ${order}`;
  return `COPY (${query}) TO STDOUT (FORMAT binary)`;
}

/** Turns rows of a binary copy of the log into entries; sealed values stay sealed. */
export class CopiedEvents {
  #lastMicros = Number.NaN;
  #lastText = '';
  #lastSecond = Number.NaN;
  #secondText = '';
  readonly #type = new LastText();
  readonly #host = new LastText();

  constructor(
    private readonly stores: ReadonlyMap<number, Uuid>,
    private readonly upcasters: Upcasters | undefined,
  ) {}

  /** Decoded in place: splitting a row into fields takes longer than reading them. */
  entryOf(row: Buffer, from: number): LogEntry {
    const at = longAt(row, from + occurredAt) + epoch;
    const timestamp = this.#textOf(at);
    const streamPosition = longAt(row, from + positionAt);
    const hasOriginal = row.readInt32BE(from + originalAt - lengthBytes) > 0;
    const texts = new Texts(row, from + originalAt + (hasOriginal ? 8 : 0));
    const messageType = texts.next(this.#type);
    const host = texts.next(this.#host);
    const metadata = metadataIn(texts.next());
    const recorded = this.#textOf(longAt(row, from + recordedAt) + epoch);
    const original = hasOriginal ? longAt(row, from + originalAt) : undefined;
    const event = {
      v: 1,
      ...metadata,
      messageId: uuidAt(row, from + idAt),
      messageType,
      payload: readPayload(messageType, JSON.parse(texts.next()), original, recorded),
      streamId: uuidAt(row, from + streamAt),
      streamPosition,
      globalPosition: longAt(row, from + globalAt),
      timestamp,
      occurredAt: timestamp,
      recordedAt: recorded,
      host,
    } as StoredEvent<Event>;
    const origin = row.readInt16BE(from + originAt);
    const store = this.stores.get(origin) ?? '';
    const key = { at, store, position: streamPosition };
    const late = row[from + lateAt] === 1;
    return entryWith({ late, key, isForeign: origin !== 0 }, event, this.upcasters);
  }

  /** Caches the last text: many events have the same time. */
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

/** Reads consecutive text fields. */
class Texts {
  constructor(
    private readonly row: Buffer,
    private at: number,
  ) {}

  next(last?: LastText): string {
    const from = this.at + lengthBytes;
    this.at = from + this.row.readInt32BE(this.at);
    return last?.of(this.row, from, this.at) ?? this.row.toString('utf8', from, this.at);
  }
}

/** Caches a text that is usually the same as in the row before: comparing is cheaper than decoding. */
class LastText {
  #bytes = Buffer.alloc(0);
  #text = '';

  of(row: Buffer, from: number, to: number): string {
    if (this.#isSame(row, from, to)) return this.#text;
    this.#bytes = Buffer.from(row.subarray(from, to));
    return (this.#text = row.toString('utf8', from, to));
  }

  #isSame(row: Buffer, from: number, to: number): boolean {
    if (to - from !== this.#bytes.length) return false;
    for (let index = 0; index < this.#bytes.length; index++)
      if (row[from + index] !== this.#bytes[index]) return false;
    return true;
  }
}

/** Exact up to 2^53, which is enough for positions and times. */
const longAt = (row: Buffer, at: number): number =>
  row.readInt32BE(at) * 0x1_0000_0000 + row.readUInt32BE(at + 4);

const digits = Buffer.from('0123456789abcdef', 'latin1');
const spelled = Buffer.alloc(36, '-');

/** Built in one piece: a concatenated string is slow as a key. */
function uuidAt(row: Buffer, from: number): Uuid {
  for (let index = 0, at = 0; index < 16; index++) {
    if (at === 8 || at === 13 || at === 18 || at === 23) at++;
    const byte = row[from + index] ?? 0;
    spelled[at++] = digits[byte >> 4] ?? 0;
    spelled[at++] = digits[byte & 15] ?? 0;
  }
  return spelled.toString('latin1');
}

/** As PostgreSQL writes it: without trailing zeros. */
function fractionText(micros: number): string {
  if (micros === 0) return 'Z';
  let places = 6;
  let value = micros;
  for (; value % 10 === 0; value /= 10) places--;
  return `.${String(value).padStart(places, '0')}Z`;
}
