import { recorderOf } from '../../runtime/service/change-recorder.js';
import { log } from '../../runtime/log.js';
import type { Service } from '../../runtime/service/service.js';
import { mustBeBound } from '../../runtime/store/store-binding.js';
import { type HostDatabase, keepSeen, storeIdOf } from './database.js';

/**
 * Before the migration, if the schema is there: what it records would count as written before the server was promoted,
 * and a copy is not migrated under the id of its original. Then again, as that may have been the first one.
 */
export async function startWitness({ database, witness, witnessFile }: WitnessedDatabase): Promise<void> {
  const [row] = await database.rows({ text: isMigrated });
  if (row?.[0] !== 't') return;
  await mustBeBound(database);
  witness.recall((await witnessFile?.read(await storeIdOf(database))) ?? []);
  await witness.start(database);
}

const isMigrated =
  "SELECT has_function_privilege(to_regproc('svc_new_epoch')::oid, 'EXECUTE') AND to_regproc('svc_store_is_bound') IS NOT NULL";

type WitnessedDatabase = Pick<HostDatabase, 'database' | 'witness' | 'witnessFile'>;

/** Compares the log with what this host has seen, and records accepted losses in the system stream. */
export async function checkHistory(
  connection: WitnessedDatabase,
  { parts }: Pick<Service, 'parts'>,
  host: string,
): Promise<void> {
  const { database, witness } = connection;
  await keepSeen(connection);
  await witness.checkAgain(database);
  if (witness.isRefused || !witness.hasUnreported) return;
  await witness
    .record(database, recorderOf(parts, host))
    .catch((err: unknown) => log.error({ err }, 'a loss could not be recorded; it is tried again'));
}
