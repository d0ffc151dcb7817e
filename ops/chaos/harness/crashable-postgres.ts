import { access, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
import { temporaryFolder } from '../../../runtime/testing/temporary-folder.js';
import { program } from '../../../runtime/testing/installed-program.js';
import { startEmbeddedServer } from '../../../runtime/database/embedded-server.js';

/** A separate server that can be stopped as by a power failure and restarts at the same address. */
export interface CrashablePostgres {
  readonly url: string;
  crash(): Promise<void>;
  stop(): Promise<void>;
}

const withinMs = 60_000;

interface ClockedPostgres extends CrashablePostgres {
  /** Sets its clock to this many seconds before or after the real time. */
  setClock(seconds: number): Promise<void>;
}

export const startCrashablePostgres = (): Promise<CrashablePostgres> => startServer(asItIs);

/** The server's programs, plain or with a fake clock. */
type Prepare = (binaries: Binaries, home: ServerHome) => Promise<Binaries>;

const asItIs: Prepare = (binaries) => Promise.resolve(binaries);

export async function startClockedPostgres(): Promise<ClockedPostgres> {
  let clock = '';
  const server = await startServer(async (binaries, home) => {
    clock = join(home.folder, 'clock');
    return underClock(binaries, home, clock);
  });
  // From here on the server runs with the fake clock.
  await server.crash();
  return { ...server, setClock: (seconds) => writeFile(clock, offsetOf(seconds)) };
}

const offsetOf = (seconds: number): string => `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`;

/** pg_ctl as a script that loads libfaketime into the server. */
async function underClock(binaries: Binaries, home: ServerHome, clock: string): Promise<Binaries> {
  await program('faketime');
  const library = await fakeTimeLibrary();
  await writeFile(clock, offsetOf(0), { mode: 0o644 });
  const pgCtl = join(home.folder, 'pg_ctl-under-clock');
  const settings = `LD_PRELOAD=${library} FAKETIME_TIMESTAMP_FILE=${clock} FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1`;
  await writeFile(pgCtl, `#!/bin/sh\nexec env ${settings} ${binaries.pgCtl} "$@"\n`, { mode: 0o755 });
  return { ...binaries, pgCtl };
}

async function fakeTimeLibrary(): Promise<string> {
  for (const folder of await readdir('/usr/lib')) {
    const path = join('/usr/lib', folder, 'faketime/libfaketime.so.1');
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  throw new Problem('invalid-setup', {
    detail: 'libfaketime is not in /usr/lib; apt-get install -y libfaketime',
  });
}

async function startServer(prepare: Prepare): Promise<CrashablePostgres> {
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
