import type { PerspectiveTable } from './perspective-table.js';

/** The pair of tables of a perspective; during a rebuild there is a second pair. */
type TablePair = Pick<PerspectiveTable, 'table' | 'snapshots' | 'columns'>;

export function makeTables({ table, snapshots, columns }: TablePair): string {
  const typed = columns.map(({ column, type }) => `\n  "${column}" ${type},`).join('');
  return /* sql */ `
CREATE TABLE IF NOT EXISTS ${table} (
  id text PRIMARY KEY,
  model jsonb NOT NULL,${typed}
  tenant text,
  position bigint NOT NULL,
  applied int NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS ${snapshots} (
  key text NOT NULL,
  at bigint NOT NULL,
  store uuid NOT NULL,
  stream_position bigint NOT NULL,
  global_position bigint NOT NULL,
  event_id uuid NOT NULL,
  model jsonb NOT NULL,
  tenant text,
  applied int NOT NULL,
  PRIMARY KEY (key, at, store, stream_position)
);
${protectRows([table, snapshots])}`;
}

/**
 * A statement of the runtime that forgets the tenant sees only rows without one. The owner is exempt: the functions that
 * write models, and rebuilds, see all rows. A table that is protected already is not locked.
 */
const protectRows = (tables: readonly string[]): string => /* sql */ `DO $$ DECLARE made regclass; BEGIN
  FOR made IN SELECT oid FROM pg_class WHERE oid = ANY('{${tables.join(',')}}'::regclass[]) AND NOT relrowsecurity LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', made);
    EXECUTE format('CREATE POLICY svc_tenant ON %s FOR SELECT USING (tenant IS NOT DISTINCT FROM nullif(current_setting(%L, true), %L))',
      made, 'svc.tenant', '');
  END LOOP;
END $$;`;

/** Writes the rows of a batch; `batch` is an SQL expression of its JSON. */
export function upsertRows({ table, columns }: TablePair, batch: string): string {
  const names = columns.map(({ column }) => `"${column}", `).join('');
  const typed = columns.map(({ column, type }) => `"${column}" ${type}, `).join('');
  const updates = columns.map(({ column }) => `"${column}" = excluded."${column}", `).join('');
  return /* sql */ `INSERT INTO ${table}(id, model, ${names}tenant, position, applied, updated_at)
    SELECT r.id, r.model, ${columns.map(({ column }) => `r."${column}", `).join('')}r.tenant, r.position, r.applied, clock_timestamp()
    FROM json_to_recordset(${batch} -> 'rows') r(id text, model jsonb, ${typed}tenant text, position bigint, applied int)
    ON CONFLICT (id) DO UPDATE SET model = excluded.model, ${updates}tenant = excluded.tenant,
      position = excluded.position, applied = excluded.applied, updated_at = excluded.updated_at`;
}

export const addSnapshots = (
  { snapshots }: TablePair,
  batch: string,
): string => /* sql */ `INSERT INTO ${snapshots} SELECT r.* FROM json_to_recordset(${batch} -> 'snapshots') r(key text, at bigint, store uuid,
      stream_position bigint, global_position bigint, event_id uuid, model jsonb, tenant text, applied int)
      ON CONFLICT (key, at, store, stream_position) DO UPDATE SET model = excluded.model, tenant = excluded.tenant, applied = excluded.applied`;

/** How many snapshots of a row are kept. */
export const snapshotsKept = 5;

export const trimSnapshots = (
  { snapshots }: TablePair,
  batch: string,
): string => /* sql */ `DELETE FROM ${snapshots} s USING (
      SELECT k.key, o.at, o.store, o.stream_position
      FROM (SELECT DISTINCT key FROM json_to_recordset(${batch} -> 'snapshots') r(key text)) k CROSS JOIN LATERAL (
        SELECT x.at, x.store, x.stream_position FROM ${snapshots} x WHERE x.key = k.key
        ORDER BY x.at DESC, x.store DESC, x.stream_position DESC OFFSET ${snapshotsKept - 1} LIMIT 1) o
    ) oldest WHERE s.key = oldest.key AND (s.at, s.store, s.stream_position) < (oldest.at, oldest.store, oldest.stream_position)`;
