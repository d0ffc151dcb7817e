import { Problem } from '../../contracts/problems.js';
import { type ActingOperator, recordedAction } from '../store/operator-action.js';
import type { Database, Session } from '../database/database.js';
import { schemaSessions } from '../database/schema-session.js';
import { libraryLevels } from './schema-levels.js';
import { schemaItems } from './schema/items.js';

interface Converted {
  /** False: it had segments already. */
  readonly converted: boolean;
  /** Where its first segment ends. */
  readonly high?: number;
}

/**
 * Makes the logs of a store of an earlier schema the first segment of new ones; no row is copied. Nothing else may be
 * connected: a host of an earlier version would not know what has become of its tables. One transaction, so that
 * whatever ends it early leaves the store as it was.
 */
export const convertToSegments = (owner: Database, by: ActingOperator): Promise<Converted> =>
  recordedAction<Converted>(schemaSessions(owner), by, 'segments convert', async (session) => {
    if (await hasSegments(session)) return { result: { converted: false }, targets: [] };
    await mustBeAlone(session);
    await mustHaveNoOtherViews(session);
    return { result: { converted: true, high: await switchTables(session) }, targets: ['log'] };
  });

async function hasSegments(session: Session): Promise<boolean> {
  const [row] = await session.rows({
    text: `SELECT to_regclass('svc_segments') IS NOT NULL,
      (SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass('svc_events'))`,
  });
  if (row?.[0] !== 't')
    throw new Problem('invalid-setup', {
      detail: 'The store has an earlier schema; run svc migrate first, then svc segments convert.',
    });
  return row[1] === 't';
}

async function mustBeAlone(session: Session): Promise<void> {
  const rows = await session.rows({
    text: `SELECT DISTINCT application_name FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND backend_type = 'client backend' AND application_name NOT IN ('svc-cli', 'svc-owner') ORDER BY 1 LIMIT 10`,
  });
  if (rows.length === 0) return;
  const names = rows.map(([name]) => name || 'a connection without a name').join(', ');
  throw new Problem('invalid-setup', {
    detail: `Stop what is connected to this store and try again: ${names}.`,
  });
}

/** A view keeps the table that it was made with: it would show the first segment only. */
async function mustHaveNoOtherViews(session: Session): Promise<void> {
  const rows = await session.rows({
    text: `SELECT DISTINCT r.ev_class::regclass::text FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
      WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass
        AND d.refobjid IN ('svc_events'::regclass, 'svc_system_events'::regclass)
        AND r.ev_class NOT IN ('svc_event_stream'::regclass, 'svc_system_stream'::regclass, 'svc_outbox_pending'::regclass,
          'svc_open_events'::regclass, 'svc_open_records'::regclass)
      ORDER BY 1 LIMIT 10`,
  });
  if (rows.length === 0) return;
  throw new Problem('invalid-setup', {
    detail: `These views read a table that is replaced: ${rows.join(', ')}; drop them and create them again after the conversion.`,
  });
}

/** The first segment has room for as many positions again as a segment has, and ends at a multiple of that. */
async function firstEnd(session: Session): Promise<number> {
  const [row] = await session.rows({
    text: `SELECT (greatest((SELECT max(global_position) FROM svc_events), (SELECT max(global_position) FROM svc_system_events), 0)
        / size + 2) * size FROM (SELECT coalesce(segment_size, 16777216) AS size FROM svc_store) s`,
  });
  return Number(row?.[0]);
}

async function switchTables(session: Session): Promise<number> {
  // Who waits for this lock waits for that of the new table afterwards.
  await session.rows({
    text: `SELECT pg_advisory_xact_lock(hashtext('svc'), 'svc_events'::regclass::oid::int)`,
  });
  await session.rows({ text: 'LOCK TABLE svc_events, svc_system_events IN ACCESS EXCLUSIVE MODE' });
  await mustBeAlone(session);
  const high = await firstEnd(session);
  await session.rows({ text: rename });
  const [tables, ...others] = schemaItems(undefined);
  await session.rows({ text: tables?.sql ?? '' });
  await session.rows({
    text: `ALTER TABLE svc_events ATTACH PARTITION svc_events_0 FOR VALUES FROM (0) TO (${high});
      ALTER TABLE svc_system_events ATTACH PARTITION svc_system_events_0 FOR VALUES FROM (0) TO (${high});
      INSERT INTO svc_segments(low, high, gathered) VALUES (0, ${high}, 0)`,
  });
  // Indexes, views and privileges of the new tables, and the segment ahead.
  for (const { sql } of others) await session.rows({ text: sql });
  await session.rows({
    text: `UPDATE svc_schema_levels SET min_level = greatest(min_level, ${libraryLevels.level}) WHERE owner = 'library'`,
  });
  return high;
}

/** The names of tables and indexes become free for the new ones. */
const rename = `DO $$
DECLARE found record;
BEGIN
  ALTER TABLE svc_events RENAME TO svc_events_0;
  ALTER TABLE svc_system_events RENAME TO svc_system_events_0;
  -- Constraints are named after their table, whatever version made them.
  FOR found IN SELECT conname FROM pg_constraint WHERE conrelid = 'svc_system_events_0'::regclass AND contype IN ('p', 'u')
    AND conkey <@ (SELECT array_agg(attnum) FROM pg_attribute WHERE attrelid = conrelid AND attname IN ('stream_position', 'global_position')) LOOP
    EXECUTE format('ALTER TABLE svc_system_events_0 DROP CONSTRAINT %I', found.conname);
  END LOOP;
  ALTER TABLE svc_system_events_0 ADD PRIMARY KEY (global_position), ADD UNIQUE (stream_position);
  FOR found IN SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid IN ('svc_events_0'::regclass, 'svc_system_events_0'::regclass) AND c.relname !~ '_0_' LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', found.relname, regexp_replace(found.relname, '^(svc_system_events|svc_events)', '\\1_0'));
  END LOOP;
END $$`;
