import type { Uuid } from '../../contracts/scalars.js';
import type { BoundValue } from '../database/bind-frame.js';
import type { EncodedUnit } from './encode-unit.js';
import type { FlushRow } from './flush-call.js';

const parameterCount = 15;

export const commitOneCall = `CALL svc_commit_one_v1(${Array.from({ length: parameterCount }, (_, n) => `$${n + 1}`).join(', ')}, NULL)`;

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
