import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from '../../../runtime/database/embedded/binaries.js';
import type { ServerHome } from '../../../runtime/database/embedded/server-home.js';
import { type CrashablePostgres, startServerWith } from './crashable-postgres.js';
import { type FakeClock, fakeClock } from './fake-clock.js';

interface ClockedPostgres extends CrashablePostgres {
  /** Sets its clock to this many seconds before or after the real time. */
  setClock(seconds: number): Promise<void>;
}

export async function startClockedPostgres(): Promise<ClockedPostgres> {
  let clock: FakeClock | undefined;
  const server = await startServerWith(async (binaries, home) => {
    clock = await fakeClock(join(home.folder, 'clock'), { threads: false });
    return underClock(binaries, home, clock);
  });
  // From here on the server runs with the fake clock.
  await server.crash();
  return { ...server, setClock: async (seconds) => clock?.set(seconds) };
}

/** pg_ctl as a script that loads libfaketime into the server. */
async function underClock(binaries: Binaries, home: ServerHome, { env }: FakeClock): Promise<Binaries> {
  const pgCtl = join(home.folder, 'pg_ctl-under-clock');
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  await writeFile(pgCtl, `#!/bin/sh\nexec env ${settings.join(' ')} ${binaries.pgCtl} "$@"\n`, {
    mode: 0o755,
  });
  return { ...binaries, pgCtl };
}
