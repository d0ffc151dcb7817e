import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../runtime/database/embedded/operating-system.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { untilPasses } from '../../runtime/kit/until.js';

/** The source folder of this file: what is installed there is not compiled. */
const folder = fileURLToPath(new URL('../../../ops/testing/s3-server/', import.meta.url));

/** What a client of the server needs in its environment. */
type S3Environment = Readonly<Record<string, string>>;

/** Starts s3rver with an empty bucket named `archive`; npm installs it on first use. */
export async function withS3Server(body: (env: S3Environment) => Promise<void>): Promise<void> {
  await install();
  await withFolder(async (directory) => {
    const port = await freePort();
    const program = `${folder}node_modules/s3rver/bin/s3rver.js`;
    const args = [
      '--directory',
      directory,
      '--port',
      String(port),
      '--configure-bucket',
      'archive',
      '--silent',
    ];
    const server = spawn(process.execPath, [program, ...args], { stdio: 'ignore' });
    const ended = once(server, 'close');
    const endpoint = `http://127.0.0.1:${port}`;
    try {
      await untilPasses(async () => void (await fetch(endpoint)));
      await body({
        AWS_ENDPOINT_URL_S3: endpoint,
        AWS_ACCESS_KEY_ID: 'S3RVER',
        AWS_SECRET_ACCESS_KEY: 'S3RVER',
      });
    } finally {
      server.kill('SIGKILL');
      await ended;
    }
  });
}

async function install(): Promise<void> {
  const [installed, locked] = await Promise.all(
    ['node_modules/.package-lock.json', 'package-lock.json'].map((file) =>
      stat(`${folder}${file}`).catch(() => undefined),
    ),
  );
  if (installed !== undefined && locked !== undefined && installed.mtimeMs >= locked.mtimeMs) return;
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await promisify(execFile)(npm, ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']);
}
