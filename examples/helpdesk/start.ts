import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const dataDir = process.env['SVC_DATA_DIR'] || '.svc';

/** Made once: the secrets of webhooks are derived from keys that it wraps. In production it comes from a secret store. */
async function masterKey(): Promise<string> {
  const file = join(dataDir, 'master.key');
  await mkdir(dataDir, { recursive: true });
  const made = randomBytes(32).toString('base64');
  await writeFile(file, made, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  return readFile(file, 'utf8');
}

process.env['SVC_MASTER_KEY'] ||= await masterKey();
const runtime = dirname(createRequire(import.meta.url).resolve('svc-runtime/package.json'));
process.argv.splice(2, Infinity, 'start', fileURLToPath(new URL('..', import.meta.url)));
await import(pathToFileURL(join(runtime, 'dist/ops/cli.js')).href);
