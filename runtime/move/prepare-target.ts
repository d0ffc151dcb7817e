import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';
import { migrate } from '../migrations/migrate.js';
import { type SchemaVersion, schemaOf } from '../schema/items.js';
import { runtimeRole } from '../schema/runtime-role.js';
import { copiedTables } from './copied-tables.js';
import type { MoveEnds } from './move-ends.js';
import { emptying, isSubscribed, unsubscribe } from './replication.js';
import { makeMissingObjects, mustHaveSameColumns } from './schema-objects.js';

/** Gives the target the schema of the store and no rows. No host takes it for a store, from the moment its tables are there. */
export async function prepareTarget(ends: MoveEnds): Promise<void> {
  const { database, url } = ends.target;
  await mustBeEmpty(ends);
  await unsubscribe(database);
  const [[hasStore] = []] = await database.rows({ text: stateText });
  if (hasStore === 't') await database.rows({ text: closing });
  else await migrate({ ownerUrl: url, schema: closedSchema() });
  await database.rows({
    text: `INSERT INTO svc_move(state, other) VALUES ('joining', $1) ON CONFLICT (single) DO UPDATE SET other = excluded.other`,
    values: [ends.source.address],
  });
  await database.rows({ text: dropSegments });
  await matchTarget(ends);
}

/** The target gets what the store has by now, as new segments and read models may be made meanwhile. */
export async function matchTarget(ends: MoveEnds): Promise<void> {
  const [[segments] = []] = await ends.source.database.rows({ text: segmentsText });
  await ends.target.database.rows({ text: makeSegments, values: [segments] });
  await makeMissingObjects(ends);
  await mustHaveSameColumns(ends);
}

/** Leaves no row of the store in a target that it is not moved to after all. It stays closed, and may be moved to again. */
export async function emptyTarget(database: Pick<Database, 'rows'>, from: string): Promise<void> {
  const [[, isJoining] = []] = await database.rows({ text: stateText });
  if (isJoining !== 't') return unsubscribe(database);
  const [[other] = []] = await database.rows({ text: 'SELECT other FROM svc_move' });
  if (other !== undefined && other !== from)
    throw new Problem('usage', { detail: `the store of ${other ?? ''} is being moved there` });
  await unsubscribe(database);
  await database.rows({ text: dropSegments });
  await database.rows({ text: emptying(await copiedTables(database)) });
  await database.rows({ text: "UPDATE svc_move SET other = ''" });
}

const closing = `CREATE OR REPLACE TRIGGER svc_moved BEFORE TRUNCATE ON svc_store FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change()`;

/** Closed by the transaction that makes it. */
function closedSchema(): SchemaVersion {
  const { version, files } = schemaOf(runtimeRole);
  return {
    version,
    files: files.map((file) =>
      file.key === 'svc/tables' ? { ...file, sql: `${file.sql}\n${closing};` } : file,
    ),
  };
}

/** A store that has moved away is closed, too. */
const stateText = `SELECT to_regclass('svc_move') IS NOT NULL, EXISTS (
  SELECT 1 FROM pg_trigger WHERE tgrelid = to_regclass('svc_store') AND tgname = 'svc_moved' AND tgfoid = to_regproc('svc_refuse_change'))`;

const segmentsText = `SELECT json_agg(s) FROM (
  SELECT low, high FROM svc_segments WHERE to_regclass('svc_events_' || low) IS NOT NULL ORDER BY low) s`;

const makeSegments = `SELECT svc_make_segment_tables(s.low), svc_attach_segment_tables(s.low, s.high) FROM json_to_recordset($1) s(low bigint, high bigint)
  WHERE to_regclass('svc_events_' || s.low) IS NULL`;

/** Those of the store may have other bounds. The views of the open one are made again. */
const dropSegments = `DO $$
DECLARE part regclass;
BEGIN
  FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent IN ('svc_events'::regclass, 'svc_system_events'::regclass) LOOP
    EXECUTE format('DROP TABLE %s CASCADE', part);
  END LOOP;
END $$`;

/** What is there would be deleted; what an earlier move has left may be. */
export async function mustBeEmpty({ source, target }: MoveEnds): Promise<void> {
  const { database, address } = target;
  const [[hasStore, isJoining] = []] = await database.rows({ text: stateText });
  if (isJoining === 't') {
    const [[from] = []] = await database.rows({ text: 'SELECT other FROM svc_move' });
    if (from === undefined || from === '' || from === source.address) return;
    throw refused(`The store of ${from ?? ''} is being moved to ${address}; abort that first`);
  }
  if (await isSubscribed(database))
    throw refused(`Another store is being moved to ${address}; abort that first`);
  if (hasStore === 't') {
    const text = 'SELECT svc_head(), (SELECT state FROM svc_move)';
    const [[head, state] = []] = await database.rows({ text });
    if (head !== '0' || state !== null)
      throw refused(`${address} has a store already; move to an empty database`);
  }
  for (const [table = ''] of await database.rows({ text: tablesText }))
    if ((await database.rows({ text: `SELECT 1 FROM ${table ?? ''} LIMIT 1` })).length > 0)
      throw refused(`The table ${table ?? ''} of ${address} has rows; move to an empty database`);
}

/** Those of the application; an extension may bring rows. */
const tablesText = `SELECT c.oid::regclass FROM pg_class c WHERE c.relnamespace = quote_ident(current_schema())::regnamespace
  AND c.relkind IN ('r', 'p') AND c.relname !~ '^svc_'
  AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

const refused = (detail: string): Problem => new Problem('invalid-setup', { detail: `${detail}.` });
