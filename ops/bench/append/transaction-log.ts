import { newUuid } from '../../../contracts/uuid.js';
import { openDatabase } from '../../../runtime/database/database.js';
import type { EventLog } from './event-log.js';

const table = `CREATE TABLE bench_events (
  global_position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  stream_id uuid NOT NULL,
  origin smallint NOT NULL DEFAULT 0,
  stream_position bigint NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  data json NOT NULL,
  metadata json NOT NULL,
  host text NOT NULL,
  occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (stream_id, origin, stream_position),
  UNIQUE (event_id, origin)
)`;

const insert = `INSERT INTO bench_events (stream_id, stream_position, event_id, event_type, data, metadata, host)
  VALUES ($1, $2, $3, $4, $5, $6, 'bench')`;

const select = `SELECT event_type, data, metadata FROM bench_events WHERE stream_id = $1 ORDER BY stream_position`;

/** One transaction per event on 16 connections: a prepared INSERT; the unique index detects a conflict. */
export async function openLog(url: string): Promise<EventLog> {
  const database = openDatabase({ url, connections: 16 });
  await database.rows({ text: table });
  return {
    append: async (streamId, { type, data, metadata }, expected) => {
      const values = [
        streamId,
        expected + 1,
        newUuid(),
        type,
        JSON.stringify(data),
        JSON.stringify(metadata),
      ];
      await database.rows({ name: 'bench_insert', text: insert, values });
    },
    read: async (streamId) =>
      (await database.rows({ name: 'bench_read', text: select, values: [streamId] })).map(
        ([, data, metadata]) => [JSON.parse(data ?? '') as unknown, JSON.parse(metadata ?? '') as unknown],
      ).length,
    close: () => database.close(),
  };
}
