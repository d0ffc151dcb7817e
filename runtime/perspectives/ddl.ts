import { runtimeRole } from '../migrations/schema/privileges.js';
import type { PerspectiveTable } from './table.js';

/** Everything a perspective needs in the database; may run again at any time, over the owner's connection. */
export function perspectiveDdl(table: PerspectiveTable): string {
  const { columns, snapshots, types, byStream } = table;
  const typed = columns.map(({ column, type }) => `\n  "${column}" ${type},`).join('');
  const indexes = columns.map(
    ({ column }) =>
      `CREATE INDEX IF NOT EXISTS "svc_ix_${table.hash.slice(0, 8)}_${column}" ON ${table.table}("${column}");\n`,
  );
  return /* sql */ `
CREATE TABLE IF NOT EXISTS ${table.table} (
  id text PRIMARY KEY,
  model jsonb NOT NULL,${typed}
  tenant text,
  position bigint NOT NULL,
  applied int NOT NULL,
  updated_at timestamptz NOT NULL
);
${indexes.join('')}
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
INSERT INTO svc_cursors(name) VALUES ('${table.table}') ON CONFLICT DO NOTHING;
${writeFunction(table)}
DO $$
DECLARE
  newest text;
BEGIN
  INSERT INTO svc_perspectives(table_name, name, hash, types, by_stream)
    VALUES ('${table.table}', '${table.name}', '${table.hash}', '{${types.map((type) => `"${type}"`).join(',')}}', ${byStream})
    ON CONFLICT DO NOTHING;
  IF FOUND OR to_regclass('${table.view}') IS NULL THEN
    SELECT table_name INTO newest FROM svc_perspectives WHERE name = '${table.name}' ORDER BY registered_at DESC LIMIT 1;
    DROP VIEW IF EXISTS ${table.view};
    EXECUTE format('CREATE VIEW ${table.view} AS SELECT * FROM %I', newest);
  END IF;
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${runtimeRole}') THEN
    GRANT SELECT ON ${table.table}, ${snapshots}, ${table.view} TO ${runtimeRole};
    GRANT EXECUTE ON FUNCTION ${table.write} TO ${runtimeRole};
  END IF;
END $$;
`;
}

const snapshotsKept = 5;

/**
 * Writes one batch: models, snapshots, what is parked and the cursor, if the cursor still stands where the batch began.
 * A lease that has run out does not matter: a batch is the same whoever folds it, and one of two writers finds the cursor moved.
 */
function writeFunction({ table, snapshots, write, columns }: PerspectiveTable): string {
  const names = columns.map(({ column }) => `"${column}", `).join('');
  const typed = columns.map(({ column, type }) => `"${column}" ${type}, `).join('');
  const updates = columns.map(({ column }) => `"${column}" = excluded."${column}", `).join('');
  return /* sql */ `
CREATE OR REPLACE FUNCTION ${write}(p_owner uuid, p_from bigint, p_to bigint, p_ms int, p_batch json) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF NOT svc_advance_perspective('${table}', p_owner, p_from, p_to, p_ms, p_batch) THEN RETURN false; END IF;
  IF json_array_length(p_batch -> 'deletes') > 0 THEN
    DELETE FROM ${table} WHERE id IN (SELECT json_array_elements_text(p_batch -> 'deletes'));
  END IF;
  IF json_array_length(p_batch -> 'rows') > 0 THEN
  INSERT INTO ${table}(id, model, ${names}tenant, position, applied, updated_at)
    SELECT r.id, r.model, ${columns.map(({ column }) => `r."${column}", `).join('')}r.tenant, r.position, r.applied, clock_timestamp()
    FROM json_to_recordset(p_batch -> 'rows') r(id text, model jsonb, ${typed}tenant text, position bigint, applied int)
    ON CONFLICT (id) DO UPDATE SET model = excluded.model, ${updates}tenant = excluded.tenant,
      position = excluded.position, applied = excluded.applied, updated_at = excluded.updated_at;
  END IF;
  IF json_array_length(p_batch -> 'forget') > 0 THEN
  DELETE FROM ${snapshots} s USING json_to_recordset(p_batch -> 'forget') f(key text, at bigint, store uuid, stream_position bigint)
    WHERE s.key = f.key AND (s.at, s.store, s.stream_position) > (f.at, f.store, f.stream_position);
  END IF;
  IF json_array_length(p_batch -> 'snapshots') > 0 THEN
    INSERT INTO ${snapshots} SELECT r.* FROM json_to_recordset(p_batch -> 'snapshots') r(key text, at bigint, store uuid,
      stream_position bigint, global_position bigint, event_id uuid, model jsonb, tenant text, applied int)
      ON CONFLICT (key, at, store, stream_position) DO UPDATE SET model = excluded.model, tenant = excluded.tenant, applied = excluded.applied;
    DELETE FROM ${snapshots} s USING (
      SELECT k.key, o.at, o.store, o.stream_position
      FROM (SELECT DISTINCT key FROM json_to_recordset(p_batch -> 'snapshots') r(key text)) k CROSS JOIN LATERAL (
        SELECT x.at, x.store, x.stream_position FROM ${snapshots} x WHERE x.key = k.key
        ORDER BY x.at DESC, x.store DESC, x.stream_position DESC OFFSET ${snapshotsKept - 1} LIMIT 1) o
    ) oldest WHERE s.key = oldest.key AND (s.at, s.store, s.stream_position) < (oldest.at, oldest.store, oldest.stream_position);
  END IF;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION ${write} FROM PUBLIC;`;
}
