import { bigints, booleans, jsons, micros, texts, uuids } from '../store/binary-arrays.js';
import type { ImportedRow } from './decide-import.js';

/** Stores rows, which are given column by column. */
export const importCall = {
  name: 'svc_import',
  text: `SELECT r_head, r_waited_ms, r_locked_ms
    FROM svc_import($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
};

export const columnsOf = (rows: readonly ImportedRow[]): readonly Buffer[] => [
  uuids(rows.map(({ event }) => event.streamId)),
  bigints(rows.map(({ streamPosition }) => streamPosition)),
  uuids(rows.map(({ event }) => event.eventId)),
  micros(rows.map(({ event }) => event.occurredAt)),
  texts(rows.map(({ event }) => event.eventType)),
  texts(rows.map(({ event }) => event.host)),
  jsons(rows.map(({ event }) => event.metadata)),
  jsons(rows.map(({ event }) => event.data)),
  booleans(rows.map(({ late }) => late)),
];
