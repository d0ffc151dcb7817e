import type { Long } from '../../contracts/scalars.js';
import type { Database } from '../../runtime/database/database.js';
import type { StoreConnection } from '../../runtime/database/store-connection.js';
import { log } from '../../runtime/log.js';
import { replaysOf, replayStep } from '../../runtime/migrations/background.js';
import type { BatchOutcome } from '../../runtime/migrations/batch.js';
import type { ServiceParts } from '../../runtime/service.js';

interface Ports {
  readonly parts: Pick<ServiceParts, 'emitter'>;
  readonly connection: StoreConnection;
  caughtUp(name: string, position: Long, signal: AbortSignal): Promise<void>;
  /** Stopping leaves what is not done to the next start. */
  readonly signal: AbortSignal;
}

/** Ends what a batch has left for the background: runners fold the new tables from the start, then readers see them. */
export async function endReplays(batch: BatchOutcome, ports: Ports): Promise<void> {
  const { parts, connection, signal } = ports;
  const steps = replaysOf(batch.outcomes);
  if (steps.length === 0) return;
  try {
    const head = await headOf(connection.database);
    const replay = (name: string): Promise<void> => ports.caughtUp(name, head, signal);
    for (const step of steps) {
      const asOwner: StoreConnection['asOwner'] = (body) => connection.asOwner(body);
      const ended = await replayStep(step, { batch: batch.id, asOwner, replay, signal });
      if (ended !== undefined) await parts.emitter.emit(ended);
    }
  } catch (err) {
    if (!signal.aborted)
      log.error({ err }, 'a perspective could not be replayed; the next start tries again');
  }
}

async function headOf(database: Database): Promise<Long> {
  const [row] = await database.rows({
    text: `SELECT greatest((SELECT max(global_position) FROM svc_events), (SELECT max(global_position) FROM svc_system_events), 0)`,
  });
  return Number(row?.[0] ?? 0);
}
