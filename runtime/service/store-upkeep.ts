import type { Database } from '../database/database.js';
import { forFollowers } from '../database/for-followers.js';
import { log } from '../logging/log.js';
import { periodically } from '../lang/periodically.js';
import { keepSegments } from '../segments/keep-segments.js';
import type { ChangeRecorder } from '../store/append-records.js';
import { checkHistory } from '../store/check-history.js';
import { prune } from '../store/prune.js';
import type { StoreWitness } from '../store/store-witness.js';

interface UpkeepPeriods {
  readonly historyMs?: number;
  readonly segmentsMs?: number;
}

const pruneEveryMs = 10 * 60_000;

/** What a host does for its store, for a service that has none: its history is watched, segments are sealed, old rows go. */
export function startUpkeep(
  { database, witness }: { readonly database: Database; readonly witness: StoreWitness },
  recorder: () => ChangeRecorder,
  { historyMs = 5_000, segmentsMs }: UpkeepPeriods = {},
): { stop(): Promise<void> } {
  const parts = [
    // That the database does not answer shows where it is used.
    periodically(historyMs, () => checkHistory({ database, witness }, recorder).catch(() => undefined)),
    keepSegments(database, recorder, segmentsMs),
    pruning(database),
  ];
  return {
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

export function pruning(database: Database): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const pruned = periodically(pruneEveryMs, () =>
    prune(forFollowers(database), stopping.signal).catch((err: unknown) =>
      log.warn({ err }, 'pruning failed'),
    ),
  );
  return {
    stop: () => {
      stopping.abort();
      return pruned.stop();
    },
  };
}
