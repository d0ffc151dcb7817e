/** The result of one item; `svc_schema_migrations` records the number. */
export const MigrationStatus = Object.freeze({
  Applied: 1,
  Updated: 2,
  Skipped: 3,
  MigratingInBackground: 4,
  Failed: -1,
} as const);
export type MigrationStatus = (typeof MigrationStatus)[keyof typeof MigrationStatus];

/** How a migration changes the database. */
export const MigrationStrategy = Object.freeze({
  DirectDdl: 'DirectDdl',
  ColumnCopy: 'ColumnCopy',
  EventReplay: 'EventReplay',
} as const);
export type MigrationStrategy = (typeof MigrationStrategy)[keyof typeof MigrationStrategy];

/** Why a migration failed. */
export const MigrationFailureReason = Object.freeze({
  Unknown: 0,
  SqlError: 1,
  Timeout: 2,
  ColumnTypeMismatch: 3,
  DataCopyFailed: 4,
  SwapFailed: 5,
} as const);
export type MigrationFailureReason = (typeof MigrationFailureReason)[keyof typeof MigrationFailureReason];

export interface MigrationBatchItemResult {
  readonly migrationKey: string;
  readonly status: MigrationStatus;
  readonly statusDescription: string;
}
