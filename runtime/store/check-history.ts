import type { Database } from '../database/database.js';
import { log } from '../logging/log.js';
import type { ChangeRecorder } from './append-records.js';
import { mustBeBound } from './store-binding.js';
import type { StoreWitness } from './store-witness.js';
import type { SeenEvent } from './witness-file.js';

interface WitnessedDatabase {
  readonly database: Database;
  readonly witness: StoreWitness;
}

/**
 * Before the migration, if the schema is there: what it records would count as written before the server was promoted,
 * and a copy is not migrated under the id of its original. Then again, as that may have been the first one.
 */
export async function startWitness(
  { database, witness }: WitnessedDatabase,
  seenBefore: () => Promise<readonly SeenEvent[]> = () => Promise.resolve([]),
): Promise<void> {
  const [row] = await database.rows({ text: isMigrated });
  if (row?.[0] !== 't') return;
  await mustBeBound(database);
  witness.recall(await seenBefore());
  await witness.start(database);
}

const isMigrated =
  "SELECT has_function_privilege(to_regproc('svc_new_epoch')::oid, 'EXECUTE') AND to_regclass('svc_move') IS NOT NULL";

/** Compares the log with what this host has seen, and records accepted losses in the system stream. */
export async function checkHistory(
  { database, witness }: WitnessedDatabase,
  recorder: () => ChangeRecorder,
): Promise<void> {
  await witness.checkAgain(database);
  if (witness.isRefused || !witness.hasUnreported) return;
  await witness
    .record(database, recorder())
    .catch((err: unknown) => log.error({ err }, 'a loss could not be recorded; retrying'));
}
