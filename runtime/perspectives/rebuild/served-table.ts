import { MigrationStatus } from '../../../contracts/migration.js';
import type { Long } from '../../../contracts/scalars.js';
import { type ParkedPositions, parkedPositionsOf, type Rows } from './rebuild-record.js';
import type { PerspectiveTable } from '../tables/perspective-table.js';
import { tableOfView } from '../tables/table-of-view.js';

/** The table that readers see instead of this one until the replay of this version has succeeded. */
export async function tableServedInstead(
  database: Rows,
  { hash, view, table }: Pick<PerspectiveTable, 'hash' | 'view' | 'table'>,
): Promise<string | undefined> {
  const [row] = await database.rows({
    text: `SELECT ${tableOfView('$4')} FROM svc_schema_migrations
      WHERE (hash = $1 AND status = $2) OR (state ->> 'failedHash' = $1 AND status = $3)`,
    values: [hash, MigrationStatus.MigratingInBackground, MigrationStatus.Failed, view],
  });
  return row === undefined ? undefined : (row[0] ?? table);
}

/**
 * An InPlace rebuild of a table that is running or has failed, as long as no later rebuild has filled the table;
 * `table` is an SQL expression of the table's name.
 */
export const emptiedInPlace = (select: string, table: string): string => `(
  SELECT ${select} FROM svc_rebuilds r WHERE r.table_name = ${table} AND r.mode = 'InPlace'
    AND r.state NOT IN ('requested', 'done') AND r.target > 0
    AND NOT EXISTS (SELECT 1 FROM svc_rebuilds d WHERE d.table_name = r.table_name AND d.state = 'done'
      AND d.mode <> 'SelectedStreams' AND d.ended_at > r.started_at)
  ORDER BY r.started_at DESC LIMIT 1)`;

/** The rows that were parked for readers; if the model was emptied in place, those from before. */
export async function parkedOf(database: Rows, table: string): Promise<ParkedPositions> {
  const [row] = await database.rows({
    text: `SELECT ${emptiedInPlace('r.parked_before', '$1')},
      (SELECT json_agg(json_build_array(key, position)) FROM svc_stuck_work WHERE follower = $1)`,
    values: [table],
  });
  return parkedPositionsOf(row?.[0]) ?? parkedPositionsOf(row?.[1]) ?? new Map<string, Long>();
}
