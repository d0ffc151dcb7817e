import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { BoundValue } from '../database/bind-frame.js';
import {
  bigints,
  booleans,
  bytes,
  ints,
  jsons,
  smallints,
  texts,
  timestamps,
  uuids,
} from './binary-arrays.js';
import type { EncodedEvent, EncodedRecord, EncodedUnit } from './encode-unit.js';
import { listsOfUnits } from './flush-lists.js';
import { timestampOf } from './stored-rows.js';

const placeholders = (count: number): string =>
  Array.from({ length: count }, (_, n) => `$${n + 1}`).join(', ');

export const commitCall = `CALL svc_commit_v1(${placeholders(26)}, NULL, NULL, NULL, NULL)`;

/** The same inside a transaction, which decides. */
export const appendCall = `SELECT r_status FROM svc_append(${placeholders(26)})`;

/** The parameters of one `CALL svc_commit_v1` for all units of a flush; arrays without content are empty. */
export function flushParameters(
  writer: Uuid,
  flush: number,
  host: string,
  units: readonly EncodedUnit[],
): BoundValue[] {
  const { streams, pairStreams, pairPositions, events, eventStreams, records } = listsOf(units);
  const keyed = units.some((unit) => unit.outcome !== undefined) ? units : [];
  const dated = events.some((event) => event.occurredAt !== null) ? events : [];
  return [
    writer,
    flush,
    host,
    uuids([...streams.keys()]),
    ints(units.map((unit) => unit.expected.size)),
    ints(units.map((unit) => unit.events.length)),
    ints(units.map((unit) => unit.records.length)),
    bytes(keyed.map((unit) => unit.outcome?.key ?? null)),
    bytes(keyed.map((unit) => unit.outcome?.fingerprint ?? null)),
    smallints(keyed.map((unit) => unit.outcome?.status ?? null)),
    texts(keyed.map((unit) => unit.outcome?.body ?? null)),
    ints(pairStreams),
    bigints(pairPositions),
    ints(eventStreams),
    uuids(events.map((event) => event.id)),
    texts(events.map((event) => event.type)),
    jsons(events.map((event) => event.data)),
    jsons(events.map((event) => event.metadata)),
    timestamps(dated.map((event) => event.occurredAt)),
    uuids(records.map((record) => record.id)),
    texts(records.map((record) => record.type)),
    texts(records.map((record) => record.data)),
    texts(records.map((record) => record.metadata)),
    booleans(records.map((record) => record.publish)),
    ints(records.map((record) => record.of)),
    listsOfUnits(units),
  ];
}

/** The content of all units, concatenated; streams in order of first use. */
function listsOf(units: readonly EncodedUnit[]) {
  const streams = new Map<Uuid, number>();
  const indexOf = (id: Uuid): number => {
    const known = streams.get(id);
    if (known !== undefined) return known;
    streams.set(id, streams.size + 1);
    return streams.size;
  };
  const [pairStreams, pairPositions, eventStreams]: [number[], number[], number[]] = [[], [], []];
  const events: EncodedEvent[] = [];
  const records: EncodedRecord[] = [];
  for (const unit of units) {
    for (const [id, position] of unit.expected) {
      pairStreams.push(indexOf(id));
      pairPositions.push(position);
    }
    for (const event of unit.events) {
      events.push(event);
      eventStreams.push(indexOf(event.streamId));
    }
    for (const record of unit.records) records.push(record);
  }
  return { streams, pairStreams, pairPositions, events, eventStreams, records };
}

export type UnitAnswer =
  | {
      readonly status: 'committed';
      readonly positions: readonly Long[];
      readonly globalPositions: readonly Long[];
      /** Null: the same events were already stored, and none of its records was stored. */
      readonly recordedAt: Timestamp | null;
    }
  | { readonly status: Refusal };

type Refusal = 'conflict' | 'key-taken' | 'overtaken' | 'timer-gone' | 'reserved';

const refusals: Readonly<Record<string, Refusal>> = {
  '2': 'conflict',
  '3': 'key-taken',
  '5': 'overtaken',
  '6': 'timer-gone',
  '7': 'reserved',
};

/** The result row of `svc_commit_v1`, as text. */
export type FlushRow = readonly [status: string, position: string, global: string, at: string];

export function answersOf(
  [status, position, global, at]: FlushRow,
  units: readonly EncodedUnit[],
): UnitAnswer[] {
  const recordedAt = timestampOf(at);
  const statuses = elements(status);
  const positions = elements(position);
  const globals = elements(global);
  let event = 0;
  return units.map((unit, index) => {
    const from = event;
    event += unit.events.length;
    const refusal = refusals[statuses[index] ?? ''];
    if (refusal !== undefined) return { status: refusal };
    return {
      status: 'committed',
      positions: positions.slice(from, event).map(Number),
      globalPositions: globals.slice(from, event).map(Number),
      recordedAt: statuses[index] === '4' ? null : recordedAt,
    };
  });
}

const elements = (array: string): string[] => (array.length <= 2 ? [] : array.slice(1, -1).split(','));

export const commitOneCall = `CALL svc_commit_one_v1(${placeholders(15)}, NULL)`;

/** The parameters of `svc_commit_one_v1`, or undefined for a flush that needs the lists of the general call. */
export function oneEventParameters(
  writer: Uuid,
  flush: number,
  host: string,
  units: readonly EncodedUnit[],
): BoundValue[] | undefined {
  const [unit, ...otherUnits] = units;
  if (unit === undefined || otherUnits.length > 0 || unit.outcome !== undefined) return undefined;
  if (unit.lists !== undefined) return undefined;
  const [event, ...otherEvents] = unit.events;
  const [record, ...otherRecords] = unit.records;
  if (event === undefined || otherEvents.length > 0 || otherRecords.length > 0) return undefined;
  const expected = unit.expected.get(event.streamId) ?? null;
  if (event.occurredAt !== null || unit.expected.size > (expected === null ? 0 : 1)) return undefined;
  return [
    ...[writer, flush, host, event.streamId, expected],
    ...[event.id, event.type, event.data, event.metadata],
    ...(record === undefined
      ? [null, null, null, null, null, null]
      : [record.id, record.type, record.data, record.metadata, String(record.publish), record.of]),
  ];
}

/** The answer is that of `svc_commit_v1`, as one text. */
export function rowOfOne(answer: string | null | undefined): FlushRow {
  const [status = '', position = '', global = '', at = ''] = answer?.split('|') ?? [];
  return [status, position, global, at];
}
