import type { Long } from '../../../contracts/scalars.js';
import type { Session } from '../../database/database.js';
import { runtimeRole } from '../../schema/runtime-role.js';
import { writeFunction } from './ddl.js';
import type { PerspectiveTable } from './perspective-table.js';
import { makeIndexes, renameIndexes } from './table-indexes.js';
import { makeTables } from './table-sql.js';
import { tableOfView } from './table-of-view.js';

const tablePrefix = 'svc_per_';
const versionOf = ({ table }: PerspectiveTable): string => table.slice(tablePrefix.length);

/** The table in which a perspective is rebuilt, with its own cursor, while readers use the old one. */
export const shadowOf = (table: PerspectiveTable): PerspectiveTable => ({
  ...table,
  table: `svc_new_per_${versionOf(table)}`,
  snapshots: `svc_new_snap_${versionOf(table)}`,
  write: `svc_new_write_${versionOf(table)}`,
});

/** The table that a swap leaves behind. */
const replacedOf = (table: PerspectiveTable): Pick<PerspectiveTable, 'table' | 'snapshots'> => ({
  table: `svc_old_per_${versionOf(table)}`,
  snapshots: `svc_old_snap_${versionOf(table)}`,
});

/** Creates an empty shadow; drops leftovers of an earlier rebuild. */
export async function makeShadow(session: Session, table: PerspectiveTable): Promise<void> {
  const shadow = shadowOf(table);
  const old = replacedOf(table);
  await dropShadow(session, table);
  await session.rows({
    text: `DROP TABLE IF EXISTS ${old.table}, ${old.snapshots};
${makeTables(shadow)}
${writeFunction(shadow)}
INSERT INTO svc_progress(name) VALUES ('${shadow.table}');
DO $$ BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${runtimeRole}') THEN
    GRANT SELECT ON ${shadow.table}, ${shadow.snapshots} TO ${runtimeRole};
  END IF;
END $$`,
  });
}

export async function dropShadow(session: Session, table: PerspectiveTable): Promise<void> {
  const shadow = shadowOf(table);
  await session.rows({
    text: `DROP TABLE IF EXISTS ${shadow.table}, ${shadow.snapshots};
DROP FUNCTION IF EXISTS ${shadow.write};
DELETE FROM svc_progress WHERE name = '${shadow.table}';
DELETE FROM svc_stuck_work WHERE follower = '${shadow.table}'`,
  });
}

/** No one reads it yet, so no one waits. */
export async function indexShadow(session: Session, table: PerspectiveTable): Promise<void> {
  const shadow = shadowOf(table);
  await session.rows({
    text: `${makeIndexes(shadow, 'svc_nx')} ANALYZE ${shadow.table}; ANALYZE ${shadow.snapshots}`,
  });
}

/** Waits for writers of the old table and blocks further ones until the transaction ends; returns its position. */
export async function lockCursor(session: Session, { table }: PerspectiveTable): Promise<Long> {
  const [row] = await session.rows({
    text: 'SELECT position FROM svc_progress WHERE name = $1 FOR UPDATE',
    values: [table],
  });
  return Number(row?.[0] ?? 0);
}

/** Inside the transaction that holds the cursor: the new tables get the names of the old ones, with cursor and parked keys. */
export async function swapTables(session: Session, table: PerspectiveTable, position: Long): Promise<void> {
  const shadow = shadowOf(table);
  const old = replacedOf(table);
  const [shown] = await session.rows({
    text: `SELECT to_regclass(${tableOfView('$1')}) = to_regclass($2)`,
    values: [table.view, table.table],
  });
  await session.rows({
    text: `LOCK TABLE ${table.table}, ${table.snapshots} IN ACCESS EXCLUSIVE MODE;
ALTER TABLE ${table.table} RENAME TO ${old.table};
ALTER TABLE ${table.snapshots} RENAME TO ${old.snapshots};
ALTER TABLE ${shadow.table} RENAME TO ${table.table};
ALTER TABLE ${shadow.snapshots} RENAME TO ${table.snapshots};
${renameIndexes(table)}
${shown?.[0] === 't' ? `CREATE OR REPLACE VIEW ${table.view} WITH (security_invoker = true) AS SELECT * FROM ${table.table};` : ''}
DROP FUNCTION ${shadow.write};
DELETE FROM svc_progress WHERE name = '${shadow.table}';
DELETE FROM svc_stuck_work WHERE follower = '${table.table}';
UPDATE svc_stuck_work SET follower = '${table.table}' WHERE follower = '${shadow.table}';
UPDATE svc_progress SET position = ${position}, epoch = epoch + 1 WHERE name = '${table.table}';
SELECT svc_rewound('${table.table}', ${position}, '[]')`,
  });
}
