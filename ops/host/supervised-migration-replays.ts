import { replayNewVersion } from '../../actors/perspectives/replay-new-version.js';
import type { Running } from '../../actors/supervisor/child.js';
import { RebuildMode } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import { systemRecord } from '../../runtime/audit/system-record.js';
import { log } from '../../runtime/logging/log.js';
import { replaysOf, replayStep } from '../../runtime/migrations/replay-in-background.js';
import type { BatchOutcome } from '../../runtime/migrations/run-batch.js';
import { isPerspective } from '../../runtime/migrations/migration-item.js';
import type { Service, ServiceParts } from '../../runtime/service/service.js';
import type { HostDatabase } from './database.js';

const storeTimeoutMs = 10_000;

async function storeEvents(parts: ServiceParts, events: BatchOutcome['events']): Promise<void> {
  if (!parts.systemEventsRegistered || parts.unitStore === undefined) return;
  const records = events.map((event) => systemRecord(event, {}, parts.policy));
  const unit = { events: [], records, expected: new Map() };
  await parts.unitStore.commit(unit, AbortSignal.timeout(storeTimeoutMs));
  parts.hooks.committed(records);
}

/**
 * Replays in the background what the batch deferred, and reports each end; a stop leaves the rest to the next start.
 */
export function supervisedMigrationReplays(
  connection: HostDatabase,
  service: Service,
  batch: BatchOutcome,
): { readonly name: string; readonly start: () => Running } {
  const start = (): Running => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const { database } = connection;
    const asOwner: HostDatabase['asOwner'] = (body) => connection.asOwner(body);
    const running = replaysOf(batch.outcomes).map(async (step) => {
      const table = isPerspective(step.item) ? step.item.target.table : '';
      const rebuild = (name: string) => service.rebuild(name, { mode: RebuildMode.BlueGreen });
      const replay = (name: string): Promise<void> =>
        untilStopped(replayNewVersion({ rebuild, database, table, signal }, name), signal);
      const completed = await replayStep(step, { batch: batch.id, asOwner, replay, signal });
      if (completed !== undefined) await storeEvents(service.parts, [completed]);
    });
    const done = Promise.all(running).catch((err: unknown) =>
      log.error({ err }, 'a perspective could not be replayed; the next start will retry'),
    );
    return {
      stop: async () => {
        stopping.abort();
        await done;
      },
    };
  };
  return { name: 'replays', start };
}

/** A replay interrupted by a stop continues at the next start. */
function untilStopped(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<void>((_, reject) => {
    const stop = () => reject(new Problem('draining', { detail: 'The host is stopping.' }));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  work.catch((err: unknown) => {
    if (signal.aborted) log.debug({ err }, 'a replay was interrupted and continues at the next start');
  });
  return Promise.race([work, stopped]);
}
