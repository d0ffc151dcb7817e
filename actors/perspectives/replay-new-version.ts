import { setTimeout as delay } from 'node:timers/promises';
import { RebuildMode } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import type { Database } from '../../runtime/database/database.js';
import {
  openRebuilds,
  rebuildRecord,
  type RebuildRecord,
} from '../../runtime/perspectives/rebuild/rebuild-record.js';

interface Ports {
  /** Rebuilds the perspective beside the table that readers see. */
  rebuild(name: string): Promise<unknown>;
  readonly database: Database;
  /** The table of the new version. */
  readonly table: string;
  readonly signal: AbortSignal;
}

const pollMs = 250;

/** Replays a new version of a perspective; when another host does so already, waits for its end. */
export async function replayNewVersion(ports: Ports, name: string): Promise<void> {
  for (;;) {
    try {
      await ports.rebuild(name);
      return;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'rebuild-under-way') throw error;
    }
    const end = await endOfOpenRebuild(ports);
    if (end?.state === 'done' && end.mode === RebuildMode.BlueGreen) return;
    if (end?.state === 'failed')
      throw new Problem('rebuild-failed', { detail: end.error ?? 'The replay failed.' });
    await delay(pollMs, undefined, { signal: ports.signal });
  }
}

/** Undefined when no host works on it anymore: this one can then take it over. */
async function endOfOpenRebuild({ database, table, signal }: Ports): Promise<RebuildRecord | undefined> {
  const find = async () => (await openRebuilds(database)).find((one) => one.table === table);
  const first = await find();
  for (let open = first; open !== undefined && open.id === first?.id; open = await find()) {
    if (open.isFree) return undefined;
    await delay(pollMs, undefined, { signal });
  }
  return first === undefined ? undefined : rebuildRecord(database, first.id);
}
