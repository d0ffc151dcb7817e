import { Problem } from '../../../contracts/problems.js';
import {
  type Binaries,
  findPlatformPackage,
  prepareBinaries,
} from '../../../runtime/database/embedded/binaries.js';
import { type ServerHome, openHome, removeHome } from '../../../runtime/database/embedded/server-home.js';
import { poll } from '../../../runtime/database/embedded/operating-system.js';
import {
  findPostmaster,
  launch,
  type Postmaster,
} from '../../../runtime/database/embedded/server-process.js';
import { temporaryFolder } from '../../../runtime/kit/temporary-folder.js';
import { startEmbeddedServer } from '../../../runtime/database/embedded-server.js';

/** A separate server that can be stopped as by a power failure and restarts at the same address. */
export interface CrashablePostgres {
  readonly url: string;
  crash(): Promise<void>;
  stop(): Promise<void>;
}

const withinMs = 60_000;

export const startCrashablePostgres = (): Promise<CrashablePostgres> => startServerWith(asItIs);

/** Replaces the server's programs, such as by those that run it with a fake clock. */
export type Prepare = (binaries: Binaries, home: ServerHome) => Promise<Binaries>;

const asItIs: Prepare = (binaries) => Promise.resolve(binaries);

export async function startServerWith(prepare: Prepare): Promise<CrashablePostgres> {
  const dataDir = await temporaryFolder();
  const server = await startEmbeddedServer({ dataDir });
  const home = await openHome(dataDir);
  const binaries = await prepare(await prepareBinaries(await findPlatformPackage(), home), home);
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
      throw new Problem('unexpected', { detail: 'PostgreSQL does not start again.' });
    },
    stop: async () => {
      await server.stop();
      await end('SIGINT');
      await removeHome(dataDir);
    },
  };
}
