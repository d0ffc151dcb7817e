import { writeLong, writeUuid } from '../store/binary-arrays.js';
import type { ImportedRow } from './decide-import.js';

/** What the digest of a chunk covers, as COPY writes it. */
export const copiedColumns =
  'stream_id, stream_position, event_id, occurred_at, event_type, host, metadata, data';

const columns = 8;
/** The number of columns, two ids, the position and the time, and four lengths of texts. */
const fixedBytes = 2 + 2 * 20 + 2 * 12 + 4 * 4;
const epoch2000 = 946_684_800_000_000n;

/** A row in the binary format of COPY. */
export function copiedRow({ event, streamPosition }: ImportedRow): Buffer {
  const texts = [event.eventType, event.host, event.metadata, event.data];
  const row = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), fixedBytes));
  let at = row.writeInt16BE(columns);
  at = writeId(row, event.streamId, at);
  at = row.writeInt32BE(8, at);
  writeLong(row, streamPosition, at);
  at = writeId(row, event.eventId, at + 8);
  at = row.writeBigInt64BE(event.occurredAt - epoch2000, row.writeInt32BE(8, at));
  for (const text of texts) {
    const length = row.write(text, at + 4);
    at = row.writeInt32BE(length, at) + length;
  }
  return row;
}

function writeId(row: Buffer, id: string, at: number): number {
  writeUuid(row, id, row.writeInt32BE(16, at));
  return at + 20;
}
