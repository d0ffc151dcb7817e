import { createHash } from 'node:crypto';
import { MigrationStrategy } from '../../contracts/migration.js';
import type { ColumnCopy } from './sql-file-header.js';
import type { SchemaFile } from '../schema/items.js';
import type { Statement } from './split-statements.js';

/** The structure of a perspective's table, kept in the ledger to compare with the next one. */
export interface PerspectiveShape {
  readonly events: readonly string[];
  /** Whose events. */
  readonly origin: string;
  readonly version: number;
  /** The type of each column. */
  readonly columns: Readonly<Record<string, string>>;
}

/** A perspective's table, whose name contains its hash. */
export interface PerspectiveTarget {
  readonly name: string;
  /** Also the name of its cursor. */
  readonly table: string;
  readonly snapshots: string;
  readonly view: string;
  readonly ddl: string;
  readonly indexes: {
    readonly names: readonly string[];
    /** Those that need the extension pg_trgm. */
    readonly trigrams: readonly string[];
    readonly ddl: string;
  };
  readonly shape: PerspectiveShape;
  readonly columns: readonly {
    readonly column: string;
    readonly type: string;
    readonly of: (model: unknown) => unknown;
  }[];
}

/** The work of one item; its text may run again when it has changed. */
export type MigrationWork =
  | { readonly kind: 'ddl'; readonly sql: string }
  /** One by one, each in its own transaction, as CONCURRENTLY requires. */
  | { readonly kind: 'statements'; readonly sql: string; readonly statements: readonly Statement[] }
  | { readonly kind: 'column-copy'; readonly copy: ColumnCopy }
  | { readonly kind: 'perspective'; readonly target: PerspectiveTarget };

export type MigrationItem = MigrationWork & {
  readonly key: string;
  readonly hash: string;
  /** Other hashes under which the same text may be recorded. */
  readonly sameAs?: readonly string[];
  /** The owner whose version decides which of two hashes is newer. */
  readonly owner: 'library' | 'application';
  /** It may run again whenever its text changes. */
  readonly isRepeatable?: boolean;
};

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const schemaItem = ({ key, sql, again }: SchemaFile): MigrationItem => ({
  kind: 'ddl',
  key,
  sql,
  hash: sha256(again === undefined ? sql : `${again}\n${sql}`),
  owner: 'library',
  isRepeatable: again !== undefined,
});

export const isPerspective = (
  item: MigrationItem,
): item is MigrationItem & { readonly kind: 'perspective' } => item.kind === 'perspective';

/** Its text is applied once: another one needs another file. */
export const isAppliedOnce = (item: MigrationItem): boolean =>
  !isPerspective(item) && item.isRepeatable !== true;

/** For everything but a perspective, the kind of item determines the strategy. */
export const strategyOf = ({ kind }: MigrationItem): MigrationStrategy =>
  kind === 'column-copy' ? MigrationStrategy.ColumnCopy : MigrationStrategy.DirectDdl;
