import { access, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../contracts/problems.js';
import type { Binaries } from '../../../runtime/database/embedded/binaries.js';
import type { ServerHome } from '../../../runtime/database/embedded/server-home.js';
import { program } from '../../../runtime/testing/installed-program.js';
import { type CrashablePostgres, startServerWith } from './crashable-postgres.js';

interface ClockedPostgres extends CrashablePostgres {
  /** Sets its clock to this many seconds before or after the real time. */
  setClock(seconds: number): Promise<void>;
}

export async function startClockedPostgres(): Promise<ClockedPostgres> {
  let clock = '';
  const server = await startServerWith(async (binaries, home) => {
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
