import { type ActingOperator, recordedAction } from '../store/operator-action.js';
import type { Database, Session } from '../database/database.js';
import { escapeIdentifier } from '../database/pg-exports.js';
import { withOwner } from './migrate.js';
import { schemaSessions, withSchemaSession } from '../database/schema-session.js';

/** A leftover of an earlier version. */
export interface Replaced {
  readonly what: string;
  readonly sql: string;
}

/** What is no longer used: replaced tables of perspectives that no host runs, and columns that were copied. */
export const findReplaced = (ownerUrl: string): Promise<Replaced[]> =>
  withOwner(ownerUrl, (owner) => withSchemaSession(owner, remnantsIn));

/** Drops the remnants. */
export const dropReplaced = (ownerUrl: string, by: ActingOperator): Promise<Replaced[]> =>
  withOwner(ownerUrl, (owner) => dropEach(owner, by, 'migrate clean', remnantsIn));

/** One by one, each with its record, so that none waits for the lock of another. */
async function dropEach(
  owner: Database,
  by: ActingOperator,
  action: string,
  find: (session: Session) => Promise<Replaced[]>,
): Promise<Replaced[]> {
  const remnants = await withSchemaSession(owner, find);
  for (const { what, sql } of remnants)
    await recordedAction(schemaSessions(owner), by, action, async (session) => {
      await session.rows({ text: sql });
      return { result: undefined, targets: [what] };
    });
  return remnants;
}

async function remnantsIn(session: Session): Promise<Replaced[]> {
  const columns = await session.rows({
    text: `SELECT a.attrelid::regclass, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind = 'r' AND a.attname LIKE '%\\_\\_svc\\_old' AND NOT a.attisdropped
      ORDER BY 1, 2`,
  });
  return [
    ...(await replacedTables(session)),
    ...(await rebuiltTables(session)),
    ...columns.map(([table, column]) => ({
      what: `column ${table ?? ''}.${column ?? ''}`,
      sql: `ALTER TABLE ${table ?? ''} DROP COLUMN ${escapeIdentifier(column ?? '')}`,
    })),
  ];
}

/** Tables that a rebuild has replaced, unless a rebuild of their perspective is running. */
export const cleanRebuilds = async (owner: Database, by: ActingOperator): Promise<string[]> =>
  (await dropEach(owner, by, 'perspectives clean', rebuiltTables)).map(({ what }) => what);

async function rebuiltTables(session: Session): Promise<Replaced[]> {
  const [exists] = await session.rows({ text: "SELECT 1 WHERE to_regclass('svc_rebuilds') IS NOT NULL" });
  if (exists === undefined) return [];
  const tables = await session.rows({
    text: `SELECT c.relname FROM pg_class c WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind = 'r'
        AND c.relname LIKE 'svc\\_old\\_per\\_%' AND NOT EXISTS (SELECT 1 FROM svc_rebuilds r
          WHERE r.ended_at IS NULL AND r.table_name = replace(c.relname, 'svc_old_per_', 'svc_per_'))
      ORDER BY 1`,
  });
  return tables.map(([table]) => ({
    what: `table ${table ?? ''}`,
    sql: `DROP TABLE IF EXISTS ${table ?? ''}, ${(table ?? '').replace('svc_old_per_', 'svc_old_snap_')}`,
  }));
}

async function replacedTables(session: Session): Promise<Replaced[]> {
  const [exists] = await session.rows({ text: "SELECT 1 WHERE to_regclass('svc_perspectives') IS NOT NULL" });
  if (exists === undefined) return [];
  const tables = await session.rows({
    text: `SELECT p.table_name FROM svc_perspectives p JOIN svc_schema_migrations m ON m.migration_key = 'perspective/' || p.name
        LEFT JOIN svc_leases c ON c.name = p.table_name
      WHERE p.hash <> m.hash AND m.status IN (1, 2, 3) AND coalesce(c.lease_until <= clock_timestamp(), true) ORDER BY 1`,
  });
  return tables.map(([table = '']) => ({ what: `table ${table ?? ''}`, sql: dropOf(table ?? '') }));
}

/** Drops a version of a perspective. */
export const dropOf = (
  table: string,
): string => `DROP TABLE IF EXISTS ${table}, ${table.replace('svc_per_', 'svc_snap_')};
DROP FUNCTION IF EXISTS ${table.replace('svc_per_', 'svc_write_')};
DELETE FROM svc_stuck_work WHERE follower = '${table}';
DELETE FROM svc_progress WHERE name = '${table}';
DELETE FROM svc_leases WHERE name = '${table}';
DELETE FROM svc_perspectives WHERE table_name = '${table}'`;
