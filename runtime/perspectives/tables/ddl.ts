import { runtimeRole } from '../../schema/runtime-role.js';
import type { PerspectiveTable } from './perspective-table.js';
import { makeIndexes } from './table-indexes.js';
import { addSnapshots, makeTables, trimSnapshots, upsertRows } from './table-sql.js';

/** Everything that a perspective needs in the database; idempotent, run over the owner's connection. */
export function perspectiveDdl(table: PerspectiveTable): string {
  const { snapshots, types, origin, byStream } = table;
  return /* sql */ `${resetMissingTable(table)}
${addProgress(table)}
${makeTables(table)}
${makeIndexes(table)}
${writeFunction(table)}
DO $$
DECLARE
  newest text;
BEGIN
  INSERT INTO svc_perspectives(table_name, name, hash, types, origin, by_stream)
    VALUES ('${table.table}', '${table.name}', '${table.hash}', '{${types.map((type) => `"${type}"`).join(',')}}', '${origin}', ${byStream})
    ON CONFLICT DO NOTHING;
  IF FOUND OR to_regclass('${table.view}') IS NULL THEN
    SELECT table_name INTO newest FROM svc_perspectives WHERE name = '${table.name}' ORDER BY registered_at DESC LIMIT 1;
    DROP VIEW IF EXISTS ${table.view};
    EXECUTE format('CREATE VIEW ${table.view} WITH (security_invoker = true) AS SELECT * FROM %I', newest);
  END IF;
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${runtimeRole}') THEN
    GRANT SELECT ON ${table.table}, ${snapshots}, ${table.view} TO ${runtimeRole};
    GRANT EXECUTE ON FUNCTION ${table.write} TO ${runtimeRole};
  END IF;
END $$;
`;
}

/** A perspective whose table was dropped would skip everything before its position. */
const resetMissingTable = ({ table, snapshots }: PerspectiveTable): string => /* sql */ `
DO $$ BEGIN
  IF to_regclass('${table}') IS NULL AND EXISTS (SELECT 1 FROM svc_progress WHERE name = '${table}') THEN
    UPDATE svc_progress SET position = 0, epoch = epoch + 1 WHERE name = '${table}';
    DELETE FROM svc_stuck_work WHERE follower = '${table}';
    DROP TABLE IF EXISTS ${snapshots};
  END IF;
END $$;`;

/**
 * Before the tables are locked, and without a wait for its row: the host that runs the perspective has that row while it
 * writes to them.
 */
const addProgress = ({ table }: PerspectiveTable): string => /* sql */ `
INSERT INTO svc_progress(name) SELECT '${table}' WHERE NOT EXISTS (SELECT 1 FROM svc_progress WHERE name = '${table}')
  ON CONFLICT DO NOTHING;`;

/**
 * Writes one batch: models, snapshots, parked keys and the cursor, if the cursor is still where the batch started.
 * An expired lease does not matter: a batch is the same whichever host folds it, and one of two writers finds the cursor moved.
 */
export function writeFunction(pair: PerspectiveTable): string {
  const { table, snapshots, write } = pair;
  return /* sql */ `
CREATE OR REPLACE FUNCTION ${write}(p_owner uuid, p_from bigint, p_to bigint, p_batch json) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF NOT svc_advance_perspective('${table}', p_owner, p_from, p_to, p_batch) THEN RETURN false; END IF;
  IF json_array_length(p_batch -> 'deletes') > 0 THEN
    DELETE FROM ${table} WHERE id IN (SELECT json_array_elements_text(p_batch -> 'deletes'));
  END IF;
  IF json_array_length(p_batch -> 'rows') > 0 THEN
    ${upsertRows(pair, 'p_batch')};
  END IF;
  IF json_array_length(p_batch -> 'forget') > 0 THEN
  DELETE FROM ${snapshots} s USING json_to_recordset(p_batch -> 'forget') f(key text, at bigint, store uuid, stream_position bigint)
    WHERE s.key = f.key AND (s.at, s.store, s.stream_position) > (f.at, f.store, f.stream_position);
  END IF;
  IF json_array_length(p_batch -> 'snapshots') > 0 THEN
    ${addSnapshots(pair, 'p_batch')};
    ${trimSnapshots(pair, 'p_batch')};
  END IF;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION ${write} FROM PUBLIC;`;
}
