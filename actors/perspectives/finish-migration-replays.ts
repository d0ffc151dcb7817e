import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { log } from '../../runtime/logging/log.js';
import { replaysOf, replayStep } from '../../runtime/migrations/replay-in-background.js';
import type { BatchOutcome } from '../../runtime/migrations/run-batch.js';
import { isPerspective } from '../../runtime/migrations/migration-item.js';
import type { ServiceParts } from '../../runtime/service/service.js';
import { replayNewVersion } from './replay-new-version.js';

interface Ports {
  readonly parts: Pick<ServiceParts, 'emitter'>;
  readonly connection: StoreConnection;
  /** Rebuilds a perspective beside the table that readers see. */
  rebuild(name: string): Promise<unknown>;
  /** When aborted, the next start finishes what is left. */
  readonly signal: AbortSignal;
}

/** Finishes the replays that a batch left for the background: fills the new tables, then serves them to readers. */
export async function finishMigrationReplays(batch: BatchOutcome, ports: Ports): Promise<void> {
  const { parts, connection, signal } = ports;
  const steps = replaysOf(batch.outcomes);
  if (steps.length === 0) return;
  try {
    for (const step of steps) {
      const table = isPerspective(step.item) ? step.item.target.table : '';
      const replay = (name: string) =>
        replayNewVersion(
          { rebuild: (of) => ports.rebuild(of), database: connection.database, table, signal },
          name,
        );
      const asOwner: StoreConnection['asOwner'] = (body) => connection.asOwner(body);
      const ended = await replayStep(step, { batch: batch.id, asOwner, replay, signal });
      if (ended !== undefined) await parts.emitter.emit(ended);
    }
  } catch (err) {
    if (!signal.aborted) log.error({ err }, 'a perspective could not be replayed; the next start retries');
  }
}
