import { chmod, lstat, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../../contracts/problems.js';
import { accountOf, unprivilegedAccount, type Account } from './account.js';
import { createOnce, exists, hasCode, readIfExists } from './files.js';
import { reaches } from './reach.js';

/** The folder that holds the cluster, its password, its log and its owner. */
export interface Home {
  readonly folder: string;
  readonly cluster: string;
  readonly account: Account;
}

/** Inside the data folder, unless the account that PostgreSQL runs as cannot reach it there. */
export async function openHome(dataDir: string): Promise<Home> {
  await mkdir(dataDir, { recursive: true });
  const folders = foldersOf(await realpath(dataDir));
  const account = await unprivilegedAccount();
  const folder = (await movedHome(folders.location)) ?? (await newHome(folders, account));
  const cluster = join(folder, 'cluster');
  return { folder, cluster, account: await accountOf(cluster, account) };
}

/** Removes the data folder and, if its cluster lives elsewhere, that too. */
export async function removeHome(dataDir: string): Promise<void> {
  const moved = await readIfExists(foldersOf(dataDir).location);
  if (moved) await rm(moved, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

const foldersOf = (dataDir: string) => ({
  dataDir,
  inPlace: join(dataDir, 'postgres'),
  location: join(dataDir, 'postgres.location'),
});

async function movedHome(location: string): Promise<string | undefined> {
  const folder = await readIfExists(location);
  if (folder === undefined || (await exists(folder))) return folder;
  throw new Problem('invalid-setup', {
    detail:
      `${location} says that the database is in ${folder}, which is gone: ` +
      `bring it back, or remove ${location} to begin with an empty one.`,
  });
}

async function newHome(folders: ReturnType<typeof foldersOf>, account: Account): Promise<string> {
  const { dataDir, inPlace, location } = folders;
  if ((await exists(join(inPlace, 'cluster'))) || (await reaches(account, dataDir))) {
    if (await mkdir(inPlace, { recursive: true })) await chmod(inPlace, modeFor(account));
    return inPlace;
  }
  const folder = await mkdtemp(join(await reachableFolder(account), 'data-'));
  await chmod(folder, modeFor(account));
  if (await createOnce(location, folder)) return folder;
  await rm(folder, { recursive: true });
  return (await movedHome(location)) ?? folder;
}

/** Another account passes through to its cluster; the password beside it stays ours alone. */
const modeFor = (account: Account): number => (account ? 0o755 : 0o700);

async function reachableFolder(account: Account): Promise<string> {
  for (const folder of ['/var/lib/svc-runtime', join(tmpdir(), 'svc-runtime')]) {
    if ((await makeOurs(folder)) && (await reaches(account, folder))) return folder;
  }
  throw new Problem('invalid-setup', {
    detail:
      'PostgreSQL does not run as root, and no folder for its data was found that another user can reach: ' +
      'set DATABASE_URL, or start as another user.',
  });
}

/** In a folder that anybody may write, a folder of this name could be somebody else's trap. */
async function makeOurs(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    if ((await lstat(folder)).uid !== process.getuid?.()) return false;
    await chmod(folder, 0o755);
    return true;
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST')) return false;
    throw error;
  }
}
