import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedServer } from '../database/embedded-server.js';
import { type ServerHome, openHome } from '../database/embedded/server-home.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const run = promisify(execFile);

/** Makes a cluster that others are copies of, until this process ends: making one takes ten times as long as copying it. */
export async function makeCluster(
  settings: Readonly<Record<string, string>>,
  prepare: (url: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<ServerHome> {
  const dataDir = await temporaryFolder();
  const home = await openHome(dataDir);
  process.once('exit', () => {
    for (const folder of [home.folder, dataDir]) rmSync(folder, { recursive: true, force: true });
  });
  const server = await startEmbeddedServer({ dataDir, settings });
  try {
    await prepare(server.url);
  } finally {
    await server.stop();
  }
  return home;
}

/** Puts a copy of it where a server will find it. */
export async function copyCluster(from: ServerHome, dataDir: string): Promise<ServerHome> {
  const to = await openHome(dataDir);
  // With its owner: PostgreSQL has an account of its own where the tests run as root.
  await run('cp', ['-a', from.cluster, to.cluster]);
  await cp(join(from.folder, 'password'), join(to.folder, 'password'));
  return to;
}
