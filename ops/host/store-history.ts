import { StoreWentBack } from '../../contracts/events/store-went-back.js';
import { log } from '../../runtime/log.js';
import type { Service } from '../../runtime/service/service.js';
import { nowText } from '../../runtime/now-text.js';
import type { HostDatabase } from './database.js';

/** Compares the log with what this host has seen, and records accepted losses in the system stream. */
export async function checkHistory(
  { database, witness }: Pick<HostDatabase, 'database' | 'witness'>,
  { emitter }: Pick<Service, 'emitter'>,
): Promise<void> {
  await witness.checkAgain(database);
  if (witness.isRefused || !witness.hasUnreported) return;
  for (const loss of await witness.unreported(database)) {
    await emitter
      .emit(new StoreWentBack({ ...loss, timestamp: nowText() }))
      .catch((err: unknown) => log.error({ err, ...loss }, 'the loss could not be recorded'));
  }
}
