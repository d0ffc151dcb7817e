import { Problem } from '../../contracts/problems.js';
import { type ActingOperator, recordedAction } from '../store/operator-action.js';
import type { Database, Session } from '../database/database.js';
import { schemaSessions } from '../database/schema-session.js';
import { dropOf } from './drop-replaced.js';

/** Drops everything of a perspective that the service no longer has; returns its tables, none if it is unknown. */
export const removePerspective = (
  owner: Database,
  by: ActingOperator,
  name: string,
): Promise<readonly string[]> =>
  recordedAction(schemaSessions(owner), by, 'perspectives remove', async (session) => {
    const tables = await tablesOf(session, name);
    if (tables.length === 0) return { result: tables, targets: [] };
    await session.rows({ text: removalOf(name, tables) });
    return { result: tables, targets: [name] };
  });

async function tablesOf(session: Session, name: string): Promise<readonly string[]> {
  const rows = await session.rows({
    text: `SELECT p.table_name, coalesce(c.lease_until > clock_timestamp(), false) FROM svc_perspectives p
        LEFT JOIN svc_leases c ON c.name = p.table_name WHERE p.name = $1 ORDER BY 1`,
    values: [name],
  });
  if (rows.some(([, isRun]) => isRun === 't'))
    throw new Problem('invalid-setup', {
      detail: `A host runs ${name}; deploy a version of the service without it, then remove it.`,
    });
  return rows.map(([table]) => table ?? '');
}

/** The names were checked when the perspective was registered: letters, digits, - and _. */
const removalOf = (name: string, tables: readonly string[]): string =>
  [
    `DROP VIEW IF EXISTS svc_per_${name.replaceAll('-', '_')}`,
    ...tables.flatMap((table) => [
      `DROP TABLE IF EXISTS ${table.replace('svc_per_', 'svc_old_per_')}, ${table.replace('svc_per_', 'svc_old_snap_')}`,
      `DELETE FROM svc_rebuilds WHERE table_name = '${table}'`,
      dropOf(table),
    ]),
    `DELETE FROM svc_schema_migrations WHERE migration_key = 'perspective/${name}'`,
  ].join(';\n');
