import { isObject } from '../../contracts/codec-scalars.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import { keyIdIn } from '../subjects/sealed-text.js';
import { fileProblem } from './event-file.js';
import type { FileEvent } from './read-event.js';

/** The end of a stream. */
export interface StreamEnd {
  readonly position: Long;
  /** The greatest time that an event before it would be late for, in microseconds; undefined for a new stream. */
  readonly latest: bigint | undefined;
}

/** An event that is stored under the id of one in the file. */
export type StoredTwin = Pick<FileEvent, 'streamId' | 'eventType' | 'occurredAt' | 'metadata' | 'data'> & {
  readonly streamPosition: Long | undefined;
};

/** An event that is to be stored. */
export interface ImportedRow {
  readonly event: FileEvent;
  readonly streamPosition: Long;
  /** Its stream already holds a later event. */
  readonly late: boolean;
}

interface Decided {
  readonly rows: readonly ImportedRow[];
  /** How many are stored already. */
  readonly present: number;
}

/**
 * Decides what is stored of some events, in their order. One that is stored already is passed, if it is the same; a stream
 * has no gaps.
 */
export function decideImport(
  events: readonly FileEvent[],
  stored: ReadonlyMap<Uuid, StoredTwin>,
  ends: ReadonlyMap<Uuid, StreamEnd>,
): Decided {
  const seen = new Map<Uuid, ImportedRow>();
  const streams = new Map<Uuid, { -readonly [field in keyof StreamEnd]: StreamEnd[field] }>();
  const rows: ImportedRow[] = [];
  for (const event of events) {
    const twin = stored.get(event.eventId) ?? twinOf(seen.get(event.eventId));
    if (twin !== undefined) {
      mustBeSame(event, twin);
      continue;
    }
    let end = streams.get(event.streamId);
    if (end === undefined) streams.set(event.streamId, (end = { ...newStream, ...ends.get(event.streamId) }));
    const streamPosition = ++end.position;
    mustFollow(event, streamPosition);
    if (event.isSealed)
      throw fileProblem(
        event.line,
        'its values are encrypted with keys of another store; export it with --app APP, which opens them',
      );
    const late = end.latest !== undefined && event.occurredAt < end.latest;
    if (!late) end.latest = event.occurredAt;
    const row = { event, streamPosition, late };
    seen.set(event.eventId, row);
    rows.push(row);
  }
  return { rows, present: events.length - rows.length };
}

const twinOf = (row: ImportedRow | undefined): StoredTwin | undefined =>
  row && { ...row.event, streamPosition: row.streamPosition };

const newStream: StreamEnd = { position: 0, latest: undefined };

function mustFollow({ line, streamId, streamPosition = 0 }: FileEvent, next: Long): void {
  if (streamPosition === 0 || streamPosition === next) return;
  throw fileProblem(
    line,
    `the next position of stream ${streamId} is ${next}, not ${streamPosition}; the events of a stream must be in its order, from the first on`,
  );
}

function mustBeSame(event: FileEvent, twin: StoredTwin): void {
  const differs = differenceOf(event, twin);
  if (differs === undefined) return;
  throw fileProblem(event.line, `event ${event.eventId} is stored already, with a different ${differs}`);
}

function differenceOf(event: FileEvent, twin: StoredTwin): string | undefined {
  if (event.streamId !== twin.streamId) return 'streamId';
  if (event.streamPosition !== undefined && event.streamPosition !== twin.streamPosition)
    return 'streamPosition';
  if (event.eventType !== twin.eventType) return 'eventType';
  if (event.occurredAt !== twin.occurredAt) return 'occurredAt';
  if (!isSameJson(event.data, twin.data) && !isForgotten(JSON.parse(event.data), JSON.parse(twin.data)))
    return 'data';
  return isSameJson(event.metadata, twin.metadata) ? undefined : 'metadata';
}

/** The same but for values of subjects that were forgotten since: they can be encrypted no more, and are null now. */
function isForgotten(now: unknown, stored: unknown): boolean {
  if (now === null) return stored === null || keyIdIn(stored) !== undefined;
  if (!isObject(now) && !Array.isArray(now)) return now === stored;
  if (typeof stored !== 'object' || stored === null || Array.isArray(now) !== Array.isArray(stored))
    return false;
  const names = Object.keys(now);
  return (
    names.length === Object.keys(stored).length &&
    names.every(
      (name) => Object.hasOwn(stored, name) && isForgotten(Reflect.get(now, name), Reflect.get(stored, name)),
    )
  );
}

/** Whatever the order of the fields. */
const isSameJson = (one: string, other: string): boolean =>
  one === other || JSON.stringify(JSON.parse(one), sorted) === JSON.stringify(JSON.parse(other), sorted);

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
