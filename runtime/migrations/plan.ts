import { MigrationStatus, MigrationStrategy } from '../../contracts/migration.js';
import {
  isAppliedOnce,
  isPerspective,
  type MigrationItem,
  type PerspectiveShape,
  strategyOf,
} from './migration-item.js';
import { compareVersions } from '../lang/compare-versions.js';

/** The ledger row of an item. */
export interface LedgerRow {
  readonly key: string;
  readonly status: number;
  readonly hash: string | null;
  readonly libraryVersion: string;
  readonly applicationVersion: string | null;
  /** Hashes that a later one has replaced. */
  readonly superseded: readonly string[];
  /** The hash whose migration failed. */
  readonly failedHash?: string | undefined;
  /** The hash before the one that is being replayed in the background. */
  readonly oldHash?: string | undefined;
  readonly shape?: PerspectiveShape | undefined;
  /** How many statements of an interrupted item are done. */
  readonly done?: { readonly hash: string; readonly statements: number } | undefined;
}

export interface Versions {
  readonly library: string;
  readonly application: string | null;
}

export interface MigrationStep {
  readonly item: MigrationItem;
  readonly strategy: MigrationStrategy;
  readonly oldHash: string | null;
  /** The status in the ledger when the step succeeds. */
  readonly becomes: MigrationStatus;
  /** A newer version migrated it: neither the item nor its ledger row is changed. */
  readonly isLeftAlone: boolean;
  /** Why it must not run. */
  readonly refusal?: string;
  readonly row: LedgerRow | undefined;
}

/** The steps of the items, given the ledger. The recorded hash is what was applied, whatever failed since. */
export function planMigrations(
  items: readonly MigrationItem[],
  ledger: readonly LedgerRow[],
  versions: Versions,
): MigrationStep[] {
  const known = new Map(ledger.map((row) => [row.key, row]));
  return items.map((item) => {
    const row = known.get(item.key);
    return planItem(asRecorded(item, row), row, versions);
  });
}

/** A file that was applied with other line endings is the same file, and keeps its recorded hash. */
function asRecorded(item: MigrationItem, row: LedgerRow | undefined): MigrationItem {
  const recorded = [row?.hash, row?.done?.hash].find((hash) => item.sameAs?.includes(hash ?? '') === true);
  return typeof recorded === 'string' ? { ...item, hash: recorded } : item;
}

function planItem(item: MigrationItem, row: LedgerRow | undefined, versions: Versions): MigrationStep {
  const oldHash = row?.hash ?? null;
  const isLeftAlone = row !== undefined && isOlder(item, row, versions);
  const step = { item, oldHash, isLeftAlone, row };
  if (row?.status === MigrationStatus.MigratingInBackground && oldHash === item.hash) {
    return { ...step, strategy: MigrationStrategy.EventReplay, becomes: row.status };
  }
  const strategy = isPerspective(item) ? perspectiveStrategy(item.target.shape, row) : strategyOf(item);
  if (oldHash === null) return { ...step, strategy, becomes: MigrationStatus.Applied };
  if (oldHash === item.hash || isLeftAlone) return { ...step, strategy, becomes: MigrationStatus.Skipped };
  if (isAppliedOnce(item)) {
    return { ...step, strategy, becomes: MigrationStatus.Failed, refusal: editedText(oldHash, item.hash) };
  }
  const becomes =
    strategy === MigrationStrategy.EventReplay
      ? MigrationStatus.MigratingInBackground
      : MigrationStatus.Updated;
  return { ...step, strategy, becomes };
}

/** The applied text differs from the file, and running the file again may do everything twice. */
const editedText = (recorded: string, found: string): string =>
  `it was applied with the hash ${recorded} and now has ${found}; undo the edit and put the change into a new file, or start the file with the line -- svc: repeatable to run all of it again whenever it changes`;

/** An old version may start again at any time, and must not undo what a newer one did or is about to retry. */
function isOlder(item: MigrationItem, row: LedgerRow, versions: Versions): boolean {
  const [own, recorded] =
    item.owner === 'library'
      ? [versions.library, row.libraryVersion]
      : [versions.application, row.applicationVersion];
  const order = compareVersions(own, recorded);
  if (item.hash === row.hash) {
    if (row.status !== MigrationStatus.Failed) return false;
    // Hosts of the failed version serve the old model as long as the row has this status.
    const mayBeServed = isPerspective(item) && row.failedHash !== undefined && row.failedHash !== item.hash;
    return order === undefined ? mayBeServed : order < 0;
  }
  if (order === undefined || order === 0) return row.superseded.includes(item.hash);
  return order < 0;
}

/** Everything depends on our own schema, and a file may depend on every earlier file; perspectives depend on nothing else. */
export const buildsOn = ({ item }: MigrationStep, { item: earlier }: MigrationStep): boolean =>
  earlier.owner === 'library' || !(isPerspective(item) || isPerspective(earlier));

/** Only new columns can be derived from the models; anything else requires a replay. */
export function perspectiveStrategy(
  shape: PerspectiveShape,
  row: Pick<LedgerRow, 'hash' | 'shape'> | undefined,
): MigrationStrategy {
  if (row === undefined || row.hash === null) return MigrationStrategy.DirectDdl;
  const old = row.shape;
  if (old === undefined || old.version !== shape.version) return MigrationStrategy.EventReplay;
  if (old.origin !== shape.origin || !isSame(old.events, shape.events)) return MigrationStrategy.EventReplay;
  const kept = Object.entries(old.columns).every(([name, type]) => shape.columns[name] === type);
  if (!kept) return MigrationStrategy.EventReplay;
  const added = Object.keys(shape.columns).length > Object.keys(old.columns).length;
  return added ? MigrationStrategy.ColumnCopy : MigrationStrategy.DirectDdl;
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.toSorted().join('\n') === b.toSorted().join('\n');
