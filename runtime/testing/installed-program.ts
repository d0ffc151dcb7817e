import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Problem } from '../../contracts/problems.js';

const run = promisify(execFile);
const waitForOthers = ['-o', 'DPkg::Lock::Timeout=600'];

/** The path of a program that a test needs; installs its Debian package if it is missing. */
export async function program(name: string, debianPackage = name, aptGet = 'apt-get'): Promise<string> {
  const found = await onPath(name);
  if (found !== undefined) return found;
  const how = installLine(debianPackage);
  if (process.platform !== 'linux') throw missing(name, how);
  try {
    await install(debianPackage, aptGet);
  } catch (cause) {
    throw missing(name, how, cause);
  }
  const installed = await onPath(name);
  if (installed === undefined) throw missing(name, how);
  return installed;
}

const installLine = (debianPackage: string): string =>
  process.platform === 'darwin'
    ? `brew install ${debianPackage}`
    : `sudo apt-get install -y ${debianPackage}`;

const missing = (name: string, how: string, cause?: unknown): Problem =>
  new Problem('invalid-setup', {
    detail: `This test needs ${name}, and it could not be installed: ${how}`,
    cause,
  });

async function install(debianPackage: string, aptGet: string): Promise<void> {
  const root = process.getuid?.() === 0;
  const apt = (...args: string[]) => {
    const all = [aptGet, ...waitForOthers, '-qq', ...args];
    const [command = '', ...rest] = root ? all : ['sudo', '-n', ...all];
    return run(command, rest, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  };
  try {
    await apt('install', '-y', '--no-install-recommends', debianPackage);
  } catch {
    // A machine that was never updated has no package lists.
    await whileLocked(() => apt('update'));
    await apt('install', '-y', '--no-install-recommends', debianPackage);
  }
}

/** Apt waits for the lock of dpkg by itself, but not for the lock of its package lists. */
export async function whileLocked(update: () => Promise<unknown>, tries = 120): Promise<void> {
  try {
    await update();
  } catch (error) {
    if (tries <= 1 || !String(error).includes('Could not get lock')) throw error;
    // An update of the lists takes seconds.
    await delay(1_000);
    await whileLocked(update, tries - 1);
  }
}

/** Servers are in sbin, which is not on every path. */
async function onPath(name: string): Promise<string | undefined> {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  for (const folder of folders) {
    const path = join(folder, name);
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // Look in the next folder.
    }
  }
  return undefined;
}
