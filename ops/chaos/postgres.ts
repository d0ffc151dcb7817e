import { Problem } from '../../contracts/problems.js';
import { prepareBinaries } from '../../runtime/database/embedded/binaries.js';
import { openHome, removeHome } from '../../runtime/database/embedded/home.js';
import { findPlatformPackage } from '../../runtime/database/embedded/platform-package.js';
import { poll } from '../../runtime/database/embedded/poll.js';
import { findPostmaster, type Postmaster } from '../../runtime/database/embedded/postmaster.js';
import { launch } from '../../runtime/database/embedded/server-process.js';
import { temporaryFolder } from '../../runtime/database/embedded/temporary-folder.js';
import { startEmbeddedServer } from '../../runtime/database/embedded-server.js';

/** A server of its own, which can be stopped as if the power failed, and comes back at the same address. */
export interface CrashablePostgres {
  readonly url: string;
  crash(): Promise<void>;
  stop(): Promise<void>;
}

const withinMs = 60_000;

export async function startCrashablePostgres(): Promise<CrashablePostgres> {
  const dataDir = await temporaryFolder();
  const server = await startEmbeddedServer({ dataDir });
  const home = await openHome(dataDir);
  const binaries = await prepareBinaries(await findPlatformPackage(), home);
  const end = async (signal: 'SIGQUIT' | 'SIGINT'): Promise<Postmaster | undefined> => {
    const found = await findPostmaster(home.cluster);
    if (found.state !== 'running') return undefined;
    process.kill(found.postmaster.pid, signal);
    const isGone = async () => (await findPostmaster(home.cluster)).state !== 'running' || undefined;
    if ((await poll(isGone, { everyMs: 10, withinMs })) !== undefined) return found.postmaster;
    throw new Problem('unexpected', { detail: 'PostgreSQL does not stop.' });
  };
  return {
    url: server.url,
    crash: async () => {
      await end('SIGQUIT');
      const port = Number(new URL(server.url).port);
      const isUp = async () =>
        (await launch(home, binaries, { port, settings: {}, withinMs })).outcome === 'ready' || undefined;
      if ((await poll(isUp, { everyMs: 100, withinMs })) !== undefined) return;
      throw new Problem('unexpected', { detail: 'PostgreSQL does not come back.' });
    },
    stop: async () => {
      await server.stop();
      await end('SIGINT');
      await removeHome(dataDir);
    },
  };
}
