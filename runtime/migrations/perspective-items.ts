import { MigrationStatus } from '../../contracts/migration.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import type { Session } from '../database/database.js';
import { perspectiveDdl } from '../perspectives/tables/ddl.js';
import { type PerspectiveTable, perspectiveTables } from '../perspectives/tables/perspective-table.js';
import { indexesOf, makeIndexes } from '../perspectives/tables/table-indexes.js';
import type { MigrationItem, PerspectiveShape, PerspectiveTarget } from './migration-item.js';
import { point } from './perspective-tables.js';

/** One item per perspective; its hash is that of its table. */
export const perspectiveItems = (perspectives: readonly AnyPerspective[]): MigrationItem[] =>
  perspectiveTables(perspectives).map((table, index) => ({
    kind: 'perspective',
    key: keyOf(table),
    hash: table.hash,
    owner: 'application',
    target: targetOf(table, perspectives[index]?.version ?? 1),
  }));

const targetOf = (table: PerspectiveTable, version: number): PerspectiveTarget => ({
  name: table.name,
  table: table.table,
  snapshots: table.snapshots,
  view: table.view,
  ddl: perspectiveDdl(table),
  indexes: {
    names: indexNames(table, false),
    trigrams: indexNames(table, true),
    ddl: makeIndexes(table),
  },
  columns: table.columns,
  shape: shapeOf(table, version),
});

const indexNames = (table: PerspectiveTable, trigram: boolean): string[] =>
  indexesOf(table).flatMap(({ name, isTrigram }) => (isTrigram === trigram ? [name] : []));

const shapeOf = (table: PerspectiveTable, version: number): PerspectiveShape => ({
  version,
  events: table.types,
  origin: table.origin,
  columns: Object.fromEntries(table.columns.map(({ column, type }) => [column, type])),
});

/** Records a rebuild that succeeded after the replay of this version had failed: readers see it, and the ledger must match. */
export async function adoptReplay(
  session: Session,
  table: PerspectiveTable,
  version: number,
  description: string,
): Promise<boolean> {
  const rows = await session.rows({
    text: `UPDATE svc_schema_migrations SET status = $3, status_description = $4, updated_at = clock_timestamp(),
        superseded = array_remove(superseded || hash, $2::text), hash = $2, state = jsonb_build_object('shape', $5::jsonb)
      WHERE migration_key = $1 AND status = $6 AND state ->> 'failedHash' = $2 RETURNING 1`,
    values: [
      keyOf(table),
      table.hash,
      MigrationStatus.Updated,
      description,
      JSON.stringify(shapeOf(table, version)),
      MigrationStatus.Failed,
    ],
  });
  if (rows.length === 0) return false;
  await point(session, table.view, table.table);
  return true;
}

const keyOf = ({ name }: Pick<PerspectiveTable, 'name'>): string => `perspective/${name}`;
