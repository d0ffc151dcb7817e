import { createHash } from 'node:crypto';
import { MigrationStrategy } from '../../contracts/migration.js';
import type { ColumnCopy } from './file-header.js';
import type { SchemaPiece } from './schema/items.js';
import type { Statement } from './statements.js';

/** How a perspective's table is made, as the ledger keeps it to compare the next one with. */
export interface PerspectiveShape {
  readonly events: readonly string[];
  readonly version: number;
  /** The type of each column. */
  readonly columns: Readonly<Record<string, string>>;
}

/** A perspective's table, whose name tells its hash. */
export interface PerspectiveTarget {
  readonly name: string;
  /** Also the name of its cursor. */
  readonly table: string;
  readonly snapshots: string;
  readonly view: string;
  readonly ddl: string;
  readonly shape: PerspectiveShape;
  readonly columns: readonly {
    readonly column: string;
    readonly type: string;
    readonly of: (model: unknown) => unknown;
  }[];
}

/** What one item asks for; its text may run again when it changed. */
export type MigrationWork =
  | { readonly kind: 'ddl'; readonly sql: string }
  /** One by one, each its own transaction: CONCURRENTLY allows no other way. */
  | { readonly kind: 'statements'; readonly sql: string; readonly statements: readonly Statement[] }
  | { readonly kind: 'column-copy'; readonly copy: ColumnCopy }
  | { readonly kind: 'perspective'; readonly target: PerspectiveTarget };

export type MigrationItem = MigrationWork & {
  readonly key: string;
  readonly hash: string;
  /** Hashes under which the same may be recorded. */
  readonly sameAs?: readonly string[];
  /** Whose version decides which of two hashes is the newer one. */
  readonly owner: 'library' | 'application';
  /** The file says that it may run again whenever its text has changed. */
  readonly isRepeatable?: boolean;
};

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const schemaItem = ({ key, sql }: SchemaPiece): MigrationItem => ({
  kind: 'ddl',
  key,
  sql,
  hash: sha256(sql),
  owner: 'library',
});

export const isPerspective = (
  item: MigrationItem,
): item is MigrationItem & { readonly kind: 'perspective' } => item.kind === 'perspective';

/** One of the application's own files, which is applied once. */
export const isSqlFile = (item: MigrationItem): boolean =>
  item.owner === 'application' && !isPerspective(item);

/** The strategy of everything but a perspective follows from what it is. */
export const strategyOf = ({ kind }: MigrationItem): MigrationStrategy =>
  kind === 'column-copy' ? MigrationStrategy.ColumnCopy : MigrationStrategy.DirectDdl;
