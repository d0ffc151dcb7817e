import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import { Pool } from 'pg';

/** Emmett's store on a pool of 16 connections. */
export async function openLog(url) {
  const pool = new Pool({ connectionString: url, max: 16 });
  const store = getPostgreSQLEventStore(url, { connectionOptions: { pool } });
  await store.schema.migrate();
  return {
    append: async (streamId, { type, data, metadata }, expected) => {
      await store.appendToStream(streamId, [{ type, data, metadata }], {
        expectedStreamVersion: expected === 0 ? 'STREAM_DOES_NOT_EXIST' : BigInt(expected),
      });
    },
    read: async (streamId) => (await store.readStream(streamId)).events.length,
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
}
