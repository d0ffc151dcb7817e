import { binaryContent, rowsAt } from '../database/copy-in.js';
import { copiedColumns, placeRow } from './copied-row.js';
import type { ImportedRow } from './decide-import.js';

/** Where rows wait, on the connection of the import, until they are numbered. */
export const stagedTable = `CREATE TEMPORARY TABLE svc_staged_events (
    line int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, stream_id uuid NOT NULL, stream_position bigint NOT NULL, event_id uuid NOT NULL,
    occurred_at timestamptz NOT NULL, event_type text NOT NULL, host text NOT NULL, metadata json NOT NULL, data json NOT NULL)`;

/** Replaces what waits there. */
export const stagedCopy = `TRUNCATE svc_staged_events RESTART IDENTITY;
  COPY svc_staged_events(${copiedColumns}) FROM STDIN (FORMAT binary)`;

/** The content of a copy. */
interface StagedRows {
  readonly content: Buffer;
  /** The rows from one index up to another. */
  readonly between: (from: number, to: number) => Buffer;
}

export function stageRows(rows: readonly ImportedRow[]): StagedRows {
  const starts: number[] = [];
  let at = rowsAt;
  for (const { event, streamPosition } of rows) {
    placeRow(event.row, streamPosition);
    starts.push(at);
    at += event.row.length;
  }
  const content = binaryContent(rows.map(({ event }) => event.row));
  return { content, between: (from, to) => content.subarray(starts[from], starts[to] ?? at) };
}
