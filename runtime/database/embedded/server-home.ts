import { chmod, lstat, mkdir, mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Problem } from '../../../contracts/problems.js';
import { createOnce, exists, hasCode, readIfExists } from './operating-system.js';

/** The folder that holds the cluster, its password, its log and its owner files. */
export interface ServerHome {
  readonly folder: string;
  readonly cluster: string;
  readonly account: Account;
}

/** Inside the data folder, unless the account that runs PostgreSQL cannot reach it there. */
export async function openHome(dataDir: string): Promise<ServerHome> {
  await mkdir(dataDir, { recursive: true });
  const folders = foldersOf(await realpath(dataDir));
  const account = await unprivilegedAccount();
  const folder = (await movedHome(folders.location)) ?? (await newHome(folders, account));
  const cluster = join(folder, 'cluster');
  return { folder, cluster, account: await accountOf(cluster, account) };
}

/** Removes the data folder and, if the cluster is elsewhere, the cluster too. */
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
      `${location} points to the database in ${folder}, which does not exist: ` +
      `restore it, or remove ${location} to start with an empty one.`,
  });
}

async function newHome(folders: ReturnType<typeof foldersOf>, account: Account): Promise<string> {
  const { dataDir, inPlace, location } = folders;
  if ((await exists(join(inPlace, 'cluster'))) || (await canReach(account, dataDir))) {
    if (await mkdir(inPlace, { recursive: true })) await chmod(inPlace, modeFor(account));
    return inPlace;
  }
  const folder = await mkdtemp(join(await reachableFolder(account), 'data-'));
  await chmod(folder, modeFor(account));
  if (await createOnce(location, folder)) return folder;
  await rm(folder, { recursive: true });
  return (await movedHome(location)) ?? folder;
}

/** Another account must traverse it to reach its cluster; the password beside it stays private. */
const modeFor = (account: Account): number => (account ? 0o755 : 0o700);

async function reachableFolder(account: Account): Promise<string> {
  for (const folder of ['/var/lib/svc-runtime', join(tmpdir(), 'svc-runtime')]) {
    if ((await makeOwnFolder(folder)) && (await canReach(account, folder))) return folder;
  }
  throw new Problem('invalid-setup', {
    detail:
      'PostgreSQL does not run as root, and no data folder was found that another user can reach: ' +
      'set DATABASE_URL, or start as another user.',
  });
}

/** In a world-writable folder, another user may have planted a folder of this name. */
async function makeOwnFolder(folder: string): Promise<boolean> {
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

/** The account that runs PostgreSQL; undefined means our own. */
type Account = { readonly uid: number; readonly gid: number } | undefined;

/** PostgreSQL refuses to run as root, so root runs it under an unprivileged account. */
export async function unprivilegedAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined;
  const account = pickAccount(await readFile('/etc/passwd', 'utf8'));
  if (account) return account;
  throw new Problem('invalid-setup', {
    detail:
      'PostgreSQL refuses to run as root and there is no user `postgres` or `nobody` to run it as: ' +
      'set DATABASE_URL, or start as another user.',
  });
}

/** A cluster only opens for the account that created it, whatever accounts were added later. */
export async function accountOf(cluster: string, otherwise: Account): Promise<Account> {
  if (otherwise === undefined || !(await exists(cluster))) return otherwise;
  const { uid, gid } = await stat(cluster);
  return uid === 0 ? otherwise : { uid, gid };
}

export function pickAccount(passwd: string): Account {
  const users = passwd.split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const user = users.find(([found]) => found === name);
    const [uid, gid] = [Number(user?.[2]), Number(user?.[3])];
    if (uid > 0 && Number.isInteger(gid)) return { uid, gid };
  }
  return undefined;
}

interface Permissions {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/** Whether the account may traverse every folder down to the path, and enter or run what is there. */
export async function canReach(account: Account, path: string): Promise<boolean> {
  if (account === undefined) return true;
  const steps = await Promise.all(ancestors(await realpath(path)).map((step) => stat(step)));
  return steps.every((step) => canTraverse(account, step));
}

/** Decides like the kernel: the first matching class counts, even if a later one would allow more. */
export function canTraverse(account: NonNullable<Account>, { uid, gid, mode }: Permissions): boolean {
  if (account.uid === uid) return (mode & 0o100) !== 0;
  if (account.gid === gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

export function ancestors(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...ancestors(parent), path];
}
