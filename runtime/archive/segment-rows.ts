import { Problem } from '../../contracts/problems.js';
import type { CopiedRow } from '../database/copy-out.js';

/** The columns of both logs, in the order in which rows of an archive have them. */
export const eventColumns =
  'global_position, stream_id, origin, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at, late, imported, publish';
export const recordColumns =
  'global_position, stream_position, event_id, event_type, data, metadata, original_position, publish, digest, hash, host, recorded_at';

const fieldsOf = (columns: string): number => columns.split(',').length;

export const eventFields = fieldsOf(eventColumns);
export const recordFields = fieldsOf(recordColumns);

/** Rows as PostgreSQL copies them in binary, without header and end. */
export const rowsToBytes = (rows: readonly CopiedRow[]): Buffer => Buffer.concat(rows.flatMap(partsOf));

function partsOf(row: CopiedRow): Buffer[] {
  const count = Buffer.allocUnsafe(2);
  count.writeInt16BE(row.length);
  return [
    count,
    ...row.flatMap((field) => (field === null ? [lengthOf(-1)] : [lengthOf(field.length), field])),
  ];
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(length);
  return bytes;
}

/** Splits what claims to be such rows; each must have this many fields. */
export function rowsFromBytes(bytes: Buffer, fields: number): readonly CopiedRow[] {
  const rows: CopiedRow[] = [];
  for (let at = 0; at < bytes.length;) {
    if (at + 2 > bytes.length || bytes.readInt16BE(at) !== fields) throw noRows();
    at += 2;
    const row: (Buffer | null)[] = [];
    for (let n = 0; n < fields; n++) {
      if (at + 4 > bytes.length) throw noRows();
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length < -1 || length > bytes.length - at) throw noRows();
      row.push(length < 0 ? null : bytes.subarray(at, at + length));
      at += Math.max(0, length);
    }
    rows.push(row);
  }
  return rows;
}

const noRows = (): Problem =>
  new Problem('archive-altered', { detail: 'A file of the archive does not contain rows of the log.' });
