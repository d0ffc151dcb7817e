import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { Problem } from '../../../contracts/problems.js';
import { removeLeftovers, type Binaries } from './binaries.js';
import { createCluster } from './cluster.js';
import { exists } from './files.js';
import { freePort } from './free-port.js';
import type { Home } from './home.js';
import { poll } from './poll.js';
import { findPostmaster, postmasterFile, type Found, type Postmaster } from './postmaster.js';
import { launch, logFile, mayWorkNextTime } from './server-process.js';
import { syncsToDisk, type Settings } from './settings.js';

/** Recovery after a crash replays the log before it lets anybody in. */
export const patienceMs = 120_000;

export interface Running {
  readonly postmaster: Postmaster;
  /** It ran already, left behind by an owner that died. */
  readonly adopted: boolean;
}

/** For the owner of the home: its server, found running or started. */
export async function bringUp(home: Home, binaries: Binaries, settings: Settings): Promise<Running> {
  const found = await settle(home.cluster);
  if (found.state === 'running') return { postmaster: found.postmaster, adopted: true };
  await removeLeftovers(home.folder, binaries);
  if (!(await exists(home.cluster))) {
    const password = randomBytes(24).toString('base64url');
    await createCluster(home, binaries, { password, fsync: syncsToDisk(settings) });
  }
  if (await exists(logFile(home))) await rename(logFile(home), `${logFile(home)}.previous`);
  const running = await poll(() => attempt(home, binaries, settings), { everyMs: 50, withinMs: 30_000 });
  if (running) return running;
  throw new Problem('invalid-setup', { detail: `PostgreSQL does not start: see ${logFile(home)}.` });
}

/** Waits until a server that is just starting or stopping has done so. */
async function settle(cluster: string): Promise<Found> {
  const found = await poll(
    async () => {
      const now = await findPostmaster(cluster);
      return now.state === 'running' && now.postmaster.status !== 'ready' ? undefined : now;
    },
    { everyMs: 20, withinMs: patienceMs },
  );
  if (found) return found;
  throw new Problem('invalid-setup', { detail: `The server of ${cluster} neither starts nor stops.` });
}

async function attempt(home: Home, binaries: Binaries, settings: Settings): Promise<Running | undefined> {
  const found = await settle(home.cluster);
  if (found.state === 'running') return { postmaster: found.postmaster, adopted: true };
  if (found.state === 'stale') await rm(postmasterFile(home.cluster), { force: true });
  const launched = await launch(home, binaries, { port: await freePort(), settings, withinMs: patienceMs });
  if (launched.outcome === 'ready') return { postmaster: launched.postmaster, adopted: false };
  if (mayWorkNextTime(launched.log)) return undefined;
  throw new Problem('invalid-setup', { detail: `PostgreSQL does not start: ${launched.log}` });
}
