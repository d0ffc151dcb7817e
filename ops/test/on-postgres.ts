import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isRelease, postgresPackage } from '../../runtime/testing/postgres-release.js';
import { findTestFiles, isLive, isLong } from './find-test-files.js';
import { builtRoots } from './roots.js';

/**
 * `npm run test:postgres -- 15 outbox` runs the live files of the store and of hosts whose path contains `outbox` on
 * PostgreSQL 15; without a version, on all supported ones besides the one that npm installs.
 */
const supported = ['15', '16', '17'];
const rooms = ['actors/', 'ops/host/', 'runtime/'];
const args = process.argv.slice(2);
const named = args.filter((arg) => /^\d+$/.test(arg));
const filters = args.filter((arg) => !named.includes(arg));

const files = (await findTestFiles(await builtRoots(), filters)).filter(
  (file) => isLive(file) && !isLong(file) && rooms.some((room) => file.startsWith(room)),
);
const unknown = named.filter((version) => !supported.includes(version));
if (unknown.length > 0) fail(`No PostgreSQL ${unknown.join(' or ')}: choose from ${supported.join(', ')}.`);
else if (files.length === 0) fail(`No live file in ${rooms.join(', ')} has such a path.`);
else for (const version of named.length > 0 ? named : supported) await runOn(version);

async function runOn(version: string): Promise<void> {
  if (!isRelease(version)) return;
  const env = { ...process.env, SVC_TEST_POSTGRES: await postgresPackage(version) };
  process.stdout.write(`\nPostgreSQL ${version}\n`);
  const main = fileURLToPath(new URL('main.js', import.meta.url));
  const { status } = spawnSync(process.execPath, [main, ...files], { env, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

function fail(text: string): void {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
