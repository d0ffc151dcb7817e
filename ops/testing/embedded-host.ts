import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openHome, removeHome } from '../../runtime/database/embedded/server-home.js';
import { startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import { temporaryFolder } from '../../runtime/kit/temporary-folder.js';

export async function withDataDir(body: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await temporaryFolder();
  try {
    await body(dataDir);
  } finally {
    // Adopts the server that a killed host left behind, and stops it.
    await (await startEmbeddedServer({ dataDir })).stop();
    await removeHome(dataDir);
  }
}

/** The first line of its file is the process id. */
export async function postmasterOf(dataDir: string): Promise<string | undefined> {
  const { cluster } = await openHome(dataDir);
  const file = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  return file.split('\n')[0] || undefined;
}
