import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import { Pool } from 'pg';

/** Emmett's store, with a second append after every event that records its audit; a conflict is retried. */
export async function openLog(url) {
  const pool = new Pool({ connectionString: url, max: 16 });
  const store = getPostgreSQLEventStore(url, { connectionOptions: { pool } });
  await store.schema.migrate();
  const audit = async (event) => {
    for (;;) {
      try {
        await store.appendToStream('audit', [event]);
        return;
      } catch (error) {
        if (!/version/i.test(String(error))) throw error;
      }
    }
  };
  return {
    append: async (streamId, { type, data, metadata }, expected) => {
      await store.appendToStream(streamId, [{ type, data, metadata }], {
        expectedStreamVersion: expected === 0 ? 'STREAM_DOES_NOT_EXIST' : BigInt(expected),
      });
      await audit({ type: 'EventAudited', data: { originalStreamId: streamId, body: data }, metadata });
    },
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
}
