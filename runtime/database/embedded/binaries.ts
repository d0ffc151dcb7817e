import { chmod, cp, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from './files.js';
import type { Home } from './home.js';
import { makeLibraryLinks } from './library-links.js';
import type { PlatformPackage } from './platform-package.js';
import { reaches } from './reach.js';

export interface Binaries {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
  readonly version: string;
}

/** The package's programs in place; in a copy if their account cannot reach them or their links are missing. */
export async function prepareBinaries(found: PlatformPackage, home: Home): Promise<Binaries> {
  const inPlace = binariesIn(found.root, found.version);
  if ((await reaches(home.account, inPlace.postgres)) && (await makeLibraryLinks(found.root))) return inPlace;
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

/** Drafts of a start that was killed, and programs of earlier versions that no server uses any more. */
export async function removeLeftovers(home: string, { version }: Binaries): Promise<void> {
  const names = (await readdir(home)).filter((name) => isLeftover(name, version));
  await Promise.all(
    names.map((name) => rm(join(home, name), { recursive: true, force: true, maxRetries: 3 })),
  );
}

export const isLeftover = (name: string, version: string): boolean =>
  name.startsWith('new-') || (name.startsWith('binaries-') && name !== `binaries-${version}`);
