import { MigrationFailureReason, MigrationStrategy } from '../../contracts/migration.js';
import type { Row, Session } from '../database/database.js';
import { failpoint } from '../lang/failpoint.js';
import { during, MigrationFailure } from './failure.js';
import type { PerspectiveTarget } from './migration-item.js';
import { inTransaction, type LockRetry } from '../database/lock-retry.js';
import type { MigrationStep } from './plan.js';
import { runtimeRole } from '../schema/runtime-role.js';
import { tableOfView } from '../perspectives/tables/table-of-view.js';

interface Ports {
  readonly session: Session;
  readonly lockRetry: LockRetry;
  progress(key: string, done: number, total: number): void;
}

/** Creates the table of a version that newer hosts have replaced, if it does not exist. */
export async function makePerspective(
  session: Session,
  lockRetry: LockRetry,
  target: PerspectiveTarget,
): Promise<void> {
  if (await isThere(session, target.table)) return;
  await during('ddl', () =>
    inTransaction(session, lockRetry, async () => {
      const shown = { text: `SELECT ${tableOfView('$1')}`, values: [target.view] };
      const [[newest = null] = []] = await session.rows(shown);
      await session.rows({ text: target.ddl });
      if (newest !== null) await point(session, target.view, newest);
    }),
  );
}

/** Adds the indexes that a table lacks: one that an earlier version of the library created, or readers now want another order. */
export async function indexPerspective(
  session: Session,
  lockRetry: LockRetry,
  { table, indexes }: PerspectiveTarget,
): Promise<void> {
  const [row] = await session.rows({
    text: `SELECT to_regclass($1) IS NOT NULL AND EXISTS (
      SELECT 1 FROM unnest($2::text[] || CASE WHEN EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm') THEN $3::text[] ELSE '{}' END) n
      WHERE to_regclass(quote_ident(n)) IS NULL)`,
    values: [table, indexes.names, indexes.trigrams],
  });
  if (row?.[0] !== 't') return;
  await during('ddl', () =>
    inTransaction(session, lockRetry, async () => {
      await session.rows({ text: `${indexes.ddl} ANALYZE ${table}` });
    }),
  );
}

/** Creates the new table next to the old one, and copies it if only columns were added; the old one stays. */
export async function replacePerspective(
  step: MigrationStep,
  target: PerspectiveTarget,
  ports: Ports,
  recorded: () => Promise<void>,
): Promise<void> {
  const { session, lockRetry } = ports;
  const old = step.oldHash === null ? undefined : tableOf(target, step.row?.oldHash ?? step.oldHash);
  const source = old !== undefined && old !== target.table && (await isThere(session, old)) ? old : undefined;
  const isReplay = step.strategy === MigrationStrategy.EventReplay;
  const make = async () => {
    if (source !== undefined && !isReplay)
      await session.rows({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ' });
    await session.rows({ text: target.ddl });
    // Readers use the old model until the new one has been replayed.
    if (source !== undefined && isReplay) await point(session, target.view, source);
    else if (source !== undefined) await during('copying', () => copy(source, target, step.item.key, ports));
    failpoint('perspective-before-commit');
    await recorded();
  };
  await during('ddl', () => inTransaction(session, lockRetry, make));
}

/** Switches readers to the new table, if the ledger can be updated. */
export const pointViewAt = (
  session: Session,
  lockRetry: LockRetry,
  target: Pick<PerspectiveTarget, 'view' | 'table'>,
  recorded: () => Promise<boolean>,
): Promise<boolean> =>
  during('swapping', () =>
    inTransaction(session, lockRetry, async () => {
      const isOurs = await recorded();
      if (isOurs) await point(session, target.view, target.table);
      return isOurs;
    }),
  );

const tableOf = ({ view }: PerspectiveTarget, hash: string): string => `${view}_${hash.slice(0, 8)}`;

async function isThere(session: Session, table: string): Promise<boolean> {
  const [row] = await session.rows({ text: 'SELECT to_regclass($1) IS NOT NULL', values: [table] });
  return row?.[0] === 't';
}

export async function point(session: Session, view: string, table: string): Promise<void> {
  await session.rows({
    text: `DROP VIEW IF EXISTS ${view};
CREATE VIEW ${view} WITH (security_invoker = true) AS SELECT * FROM ${table};
DO $$ BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${runtimeRole}') THEN GRANT SELECT ON ${view} TO ${runtimeRole}; END IF;
END $$`,
  });
}

const batch = 1_000;

/** Copies rows, snapshots and cursor from one snapshot: the runner of the old table continues undisturbed. */
async function copy(source: string, target: PerspectiveTarget, key: string, ports: Ports): Promise<void> {
  const { session } = ports;
  const [count] = await session.rows({ text: `SELECT count(*) FROM ${source}` });
  const total = Number(count?.[0] ?? 0);
  await session.rows({ text: `DECLARE svc_rows NO SCROLL CURSOR FOR SELECT id, model FROM ${source}` });
  for (let done = 0; ;) {
    const rows = await session.rows({ text: `FETCH ${batch} FROM svc_rows` });
    if (rows.length === 0) break;
    await session.rows({
      text: insertion(source, target),
      values: [JSON.stringify(rows.map(valuesOf(target)))],
    });
    ports.progress(key, (done += rows.length), total);
  }
  await session.rows({ text: 'CLOSE svc_rows' });
  const snapshots = source.replace('svc_per_', 'svc_snap_');
  await session.rows({ text: `INSERT INTO ${target.snapshots} SELECT * FROM ${snapshots}` });
  await session.rows({
    text: `INSERT INTO svc_stuck_work(follower, key, message_id, position, error, attempts, since, state)
      SELECT $1, key, message_id, position, error, attempts, since, state FROM svc_stuck_work WHERE follower = $2`,
    values: [target.table, source],
  });
  await session.rows({
    text: `UPDATE svc_rewinds SET pending = pending || $1::text WHERE $2 = ANY(pending) AND NOT $1 = ANY(pending)`,
    values: [target.table, source],
  });
  await session.rows({
    text: `UPDATE svc_progress c SET position = o.position FROM svc_progress o WHERE c.name = $1 AND o.name = $2`,
    values: [target.table, source],
  });
}

function insertion(source: string, { table, columns }: PerspectiveTarget): string {
  const names = columns.map(({ column }) => `"${column}", `).join('');
  const values = columns.map(({ column }) => `r."${column}", `).join('');
  const typed = columns.map(({ column, type }) => `, "${column}" ${type}`).join('');
  return `INSERT INTO ${table}(id, model, ${names}tenant, position, applied, updated_at)
    SELECT o.id, o.model, ${values}o.tenant, o.position, o.applied, o.updated_at
    FROM json_to_recordset($1) r(id text${typed}) JOIN ${source} o USING (id)`;
}

const valuesOf =
  ({ name, columns }: PerspectiveTarget) =>
  ([id, model]: Row) => {
    try {
      const parsed: unknown = JSON.parse(model ?? 'null');
      return { id, ...Object.fromEntries(columns.map(({ column, of }) => [column, of(parsed) ?? null])) };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new MigrationFailure(
        MigrationFailureReason.DataCopyFailed,
        `a column of ${name} cannot be derived from the model ${id ?? ''}: ${why}`,
        error,
      );
    }
  };
