import { connect } from '../../runtime/database/connect.js';

/** Bypasses the triggers, as someone with full access to the server could. */
export async function tamperWith(url: string, sql: string): Promise<void> {
  const owner = await connect(url);
  try {
    await owner.query('SET session_replication_role = replica');
    await owner.query(sql);
  } finally {
    await owner.end();
  }
}

/** Changes the event of a stream, and puts it back after the body. */
export async function whileTampered(
  url: string,
  streamId: string,
  sql: string,
  body: () => Promise<void>,
): Promise<void> {
  const ofStream = `WHERE stream_id = '${streamId}'`;
  await tamperWith(url, `CREATE TABLE kept AS SELECT data, metadata FROM svc_events ${ofStream}; ${sql}`);
  try {
    await body();
  } finally {
    const back = `UPDATE svc_events SET data = kept.data, metadata = kept.metadata FROM kept ${ofStream}`;
    await tamperWith(url, `${back}; DROP TABLE kept`);
  }
}

/** Hashes every record again: the chain is then intact by itself, whatever was changed before. */
export const rewriteChain = (table: string, condition = 'true', publish = 'r.publish'): string => `DO $$
DECLARE r record; h bytea := '\\x00'; d bytea;
BEGIN
  FOR r IN SELECT * FROM ${table} WHERE ${condition} ORDER BY stream_position LOOP
    d := svc_digest(r.event_type, r.data::text, r.metadata::text, r.host, ${publish});
    h := svc_chain_hash(h, r.stream_position, r.global_position, r.original_position, r.recorded_at, r.event_id, d);
    UPDATE ${table} SET digest = d, hash = h WHERE stream_position = r.stream_position AND ${condition};
  END LOOP;
END $$`;
