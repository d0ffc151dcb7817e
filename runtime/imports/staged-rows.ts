import type { ImportedRow } from './decide-import.js';

/** What is copied of a row, and what the digest of a chunk covers: the log has the same columns. */
export const copiedColumns =
  'stream_id, stream_position, event_id, occurred_at, event_type, host, metadata, data';

/** Where rows wait, on the connection of the import, until they are numbered. */
export const stagedTable = `CREATE TEMPORARY TABLE svc_staged_events (
    line int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, stream_id uuid NOT NULL, stream_position bigint NOT NULL, event_id uuid NOT NULL,
    occurred_at timestamptz NOT NULL, event_type text NOT NULL, host text NOT NULL, metadata json NOT NULL, data json NOT NULL)`;

export const emptyStaged = 'TRUNCATE svc_staged_events RESTART IDENTITY';
export const stagedCopy = `COPY svc_staged_events(${copiedColumns}) FROM STDIN (FORMAT binary)`;

/** Rows in the binary format of COPY. */
interface StagedRows {
  readonly content: Buffer;
  /** Those from one index up to another. */
  readonly between: (from: number, to: number) => Buffer;
}

const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const columns = 8;
/** The number of columns, two ids, the position and the time, and four lengths of texts. */
const fixedBytes = 2 + 2 * 20 + 2 * 12 + 4 * 4;
/** Of a character in UTF-8, counted as JavaScript does. */
const maxCharacterBytes = 3;
const epoch2000 = 946_684_800_000_000n;

export function stageRows(rows: readonly ImportedRow[]): StagedRows {
  // The pages behind what is written are not touched.
  const content = Buffer.allocUnsafe(
    rows.reduce((sum, { event }) => sum + mostBytes(event), header.length + 2),
  );
  const starts: number[] = [];
  let at = header.copy(content);
  for (const row of rows) {
    starts.push(at);
    at = writeRow(content, at, row);
  }
  starts.push(at);
  at = content.writeInt16BE(-1, at);
  return {
    content: content.subarray(0, at),
    between: (from, to) => content.subarray(starts[from], starts[to]),
  };
}

const mostBytes = ({ eventType, host, metadata, data }: ImportedRow['event']): number =>
  fixedBytes + maxCharacterBytes * (eventType.length + host.length + metadata.length + data.length);

function writeRow(to: Buffer, from: number, { event, streamPosition }: ImportedRow): number {
  let at = to.writeInt16BE(columns, from);
  at = writeUuid(to, event.streamId, at);
  at = to.writeBigInt64BE(BigInt(streamPosition), to.writeInt32BE(8, at));
  at = writeUuid(to, event.eventId, at);
  at = to.writeBigInt64BE(event.occurredAt - epoch2000, to.writeInt32BE(8, at));
  at = writeText(to, event.eventType, at);
  at = writeText(to, event.host, at);
  at = writeText(to, event.metadata, at);
  return writeText(to, event.data, at);
}

function writeText(to: Buffer, text: string, at: number): number {
  const length = to.write(text, at + 4);
  to.writeInt32BE(length, at);
  return at + 4 + length;
}

const writeUuid = (to: Buffer, id: string, from: number): number => {
  const at = to.writeInt32BE(16, from);
  return at + to.write(id.replaceAll('-', ''), at, 'hex');
};
