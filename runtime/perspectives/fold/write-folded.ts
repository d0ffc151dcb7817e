import type { Session } from '../../database/database.js';
import { batchJson, emptyBatch, type ParkedKey } from './write-batch.js';
import type { Folded } from './fold.js';
import type { PerspectiveTable } from '../tables/perspective-table.js';
import { addSnapshots, trimSnapshots, upsertRows } from '../tables/table-sql.js';

const rowsAtOnce = 1_000;

/** Writes rows, snapshots and parked keys over the owner's connection; returns how many rows were added. */
export async function writeFolded(
  session: Session,
  table: PerspectiveTable,
  folded: readonly Folded[],
  parked: readonly ParkedKey[],
): Promise<number> {
  let more = 0;
  for (let at = 0; at < folded.length; at += rowsAtOnce)
    more += await writeSome(session, table, folded.slice(at, at + rowsAtOnce));
  if (parked.length > 0) await writeParked(session, table, parked);
  return more;
}

/** Deletes the snapshots and parked marks of these rows: they are written again. */
export async function forgetKeys(
  session: Session,
  { table, snapshots }: PerspectiveTable,
  keys: readonly string[],
): Promise<void> {
  await session.rows({ text: `DELETE FROM ${snapshots} WHERE key = ANY($1)`, values: [keys] });
  await session.rows({
    text: 'DELETE FROM svc_stuck_work WHERE follower = $1 AND key = ANY($2)',
    values: [table, keys],
  });
}

async function writeSome(
  session: Session,
  table: PerspectiveTable,
  folded: readonly Folded[],
): Promise<number> {
  const values = [batchJson({ ...emptyBatch, folded })];
  const [row] = await session.rows({
    text: `WITH gone AS (DELETE FROM ${table.table} WHERE id IN (SELECT json_array_elements_text($1::json -> 'deletes')) RETURNING 1),
      written AS (${upsertRows(table, '$1::json')} RETURNING xmax = 0 AS is_new)
      SELECT (SELECT count(*) FROM written WHERE is_new) - (SELECT count(*) FROM gone)`,
    values,
  });
  if (folded.some(({ snapshots }) => snapshots.length > 0)) {
    await session.rows({ text: addSnapshots(table, '$1::json'), values });
    await session.rows({ text: trimSnapshots(table, '$1::json'), values });
  }
  return Number(row?.[0] ?? 0);
}

async function writeParked(
  session: Session,
  { table }: PerspectiveTable,
  parked: readonly ParkedKey[],
): Promise<void> {
  await session.rows({
    text: `INSERT INTO svc_stuck_work(follower, key, message_id, position, error, attempts, state)
      SELECT $1, r.key, r.event_id, r.global_position, r.error, r.attempts, 'parked'
      FROM json_to_recordset($2::json -> 'parked') r(key text, event_id uuid, global_position bigint, error text, attempts int)
      ON CONFLICT (follower, key) DO UPDATE SET message_id = excluded.message_id, position = excluded.position, error = excluded.error`,
    values: [table, batchJson({ ...emptyBatch, parked })],
  });
}
