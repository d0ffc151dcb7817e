import type { Perspective } from '../../contracts/perspective.js';
import { perspectiveDdl } from '../perspectives/ddl.js';
import { type PerspectiveTable, perspectiveTables } from '../perspectives/table.js';
import type { MigrationItem, PerspectiveTarget } from './item.js';

/** One item per perspective; its hash is that of its table. */
export const perspectiveItems = (perspectives: readonly Perspective<unknown>[]): MigrationItem[] =>
  perspectiveTables(perspectives).map((table, index) => ({
    kind: 'perspective',
    key: `perspective/${table.name}`,
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
  columns: table.columns,
  shape: {
    version,
    events: table.types,
    columns: Object.fromEntries(table.columns.map(({ column, type }) => [column, type])),
  },
});
