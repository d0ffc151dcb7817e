import { spawn } from 'node:child_process';
import { access, constants, mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Problem } from 'svc-runtime';
import type { Started } from './started-process.js';

/** Starts a nats-server with JetStream on this machine. */
export async function startBroker(
  folder: string,
  port: string,
  folders: readonly string[] = path,
): Promise<Started & { readonly url: string }> {
  const program = await programIn(folders, 'nats-server');
  if (program === undefined) throw new Problem('invalid-setup', { detail: howToGetOne });
  await mkdir(folder, { recursive: true });
  // Use a separate process group: Ctrl-C reaches the services first, and they publish what they have.
  const child = spawn(program, ['-a', '127.0.0.1', '-p', port, '-js', '-sd', folder], {
    stdio: 'ignore',
    detached: true,
  });
  return { name: `nats-server on port ${port}`, child, url: `nats://127.0.0.1:${port}` };
}

const howToGetOne =
  'nats-server is not on the PATH. Install it (Debian: apt-get install nats-server; macOS: brew install nats-server), or set NATS_URL to a server with JetStream.';

/** Debian installs servers into sbin, which is not on every PATH. */
const path = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

async function programIn(folders: readonly string[], name: string): Promise<string | undefined> {
  for (const folder of folders) {
    const file = join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}
