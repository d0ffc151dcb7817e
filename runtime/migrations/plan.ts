import { createHash } from 'node:crypto';
import { MigrationStatus } from '../../contracts/migration.js';

/** One piece of schema; its text may run again when it changed. */
export interface MigrationItem {
  readonly key: string;
  readonly sql: string;
}

export interface LedgerRow {
  readonly key: string;
  readonly status: number;
  readonly hash: string | null;
}

export interface MigrationStep extends MigrationItem {
  readonly hash: string;
  readonly oldHash: string | null;
  /** What the ledger will say when the step succeeds. */
  readonly becomes: MigrationStatus;
}

/** What each item needs, given what the ledger says about it. A failed item keeps its old hash and is tried again. */
export function planMigrations(
  items: readonly MigrationItem[],
  ledger: readonly LedgerRow[],
): MigrationStep[] {
  const known = new Map(ledger.map((row) => [row.key, row]));
  return items.map((item) => {
    const hash = createHash('sha256').update(item.sql).digest('hex');
    const row = known.get(item.key);
    const oldHash = row?.hash ?? null;
    const failed = row?.status === MigrationStatus.Failed;
    if (oldHash === null) return { ...item, hash, oldHash, becomes: MigrationStatus.Applied };
    const unchanged = oldHash === hash && !failed;
    return { ...item, hash, oldHash, becomes: unchanged ? MigrationStatus.Skipped : MigrationStatus.Updated };
  });
}
