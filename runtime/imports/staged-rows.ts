import type { ImportedRow } from './decide-import.js';

/** Where rows wait, on the connection of the import, until they are numbered. */
export const stagedTable = `CREATE TEMPORARY TABLE svc_staged_events (
    line int PRIMARY KEY, late boolean NOT NULL, stream_id uuid NOT NULL, stream_position bigint NOT NULL, event_id uuid NOT NULL,
    occurred_at timestamptz NOT NULL, event_type text NOT NULL, host text NOT NULL, metadata json NOT NULL, data json NOT NULL)`;

export const stagedCopy = 'COPY svc_staged_events FROM STDIN (FORMAT binary)';

/** What the digest of a chunk covers, in the columns of the log: these bytes of a staged row are the same. */
export const digestedColumns = 'stream_id, stream_position, event_id, occurred_at, event_type, host, metadata, data';

/** Rows in the binary format of COPY. */
interface StagedRows {
  readonly content: Buffer;
  /** What the digest covers of the n-th row. */
  digested(index: number): Buffer;
}

const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const columns = 10;
/** The number of columns, the line and whether it is late: with the lengths of both. */
const undigestedBytes = 2 + 8 + 5;
/** Two ids, the position and the time, with their lengths. */
const fixedBytes = 2 * 20 + 2 * 12;
const epoch2000 = 946_684_800_000_000n;

export function stageRows(rows: readonly ImportedRow[]): StagedRows {
  const lengths = rows.map(({ event }) => textsOf(event).map((text) => Buffer.byteLength(text)));
  const sizes = lengths.map((each) => each.reduce((sum, length) => sum + 4 + length, undigestedBytes + fixedBytes));
  const content = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size, header.length + 2));
  const starts: number[] = [];
  let at = header.copy(content);
  for (const [index, row] of rows.entries()) {
    starts.push(at + undigestedBytes);
    at = writeRow(content, at, row, index + 1, lengths[index] ?? []);
  }
  starts.push(at + undigestedBytes);
  content.writeInt16BE(-1, at);
  return {
    content,
    digested: (index) => content.subarray(starts[index], (starts[index + 1] ?? 0) - undigestedBytes),
  };
}

const textsOf = ({ eventType, host, texts }: ImportedRow['event']): readonly string[] => [
  eventType,
  host,
  texts.metadata,
  texts.data,
];

function writeRow(
  to: Buffer,
  from: number,
  { event, streamPosition, late }: ImportedRow,
  line: number,
  lengths: readonly number[],
): number {
  let at = to.writeInt16BE(columns, from);
  at = to.writeInt32BE(line, to.writeInt32BE(4, at));
  at = to.writeInt8(late ? 1 : 0, to.writeInt32BE(1, at));
  at = writeUuid(to, event.streamId, at);
  at = to.writeBigInt64BE(BigInt(streamPosition), to.writeInt32BE(8, at));
  at = writeUuid(to, event.eventId, at);
  at = to.writeBigInt64BE(event.occurredAt - epoch2000, to.writeInt32BE(8, at));
  for (const [index, text] of textsOf(event).entries()) {
    at = to.writeInt32BE(lengths[index] ?? 0, at);
    at += to.write(text, at);
  }
  return at;
}

const writeUuid = (to: Buffer, id: string, from: number): number => {
  const at = to.writeInt32BE(16, from);
  return at + to.write(id.replaceAll('-', ''), at, 'hex');
};
