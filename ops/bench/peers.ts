import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The sources beside which this file was compiled: what is not TypeScript stays there. */
const sources = new URL('../../../ops/bench/', import.meta.url);

export const baseline = (file: string): string => fileURLToPath(new URL(`baselines/${file}`, sources));
export const peer = (file: string): string => fileURLToPath(new URL(`peers/${file}`, sources));

/** Installs the peers on first use; answers why that failed, if it did. */
export async function installPeers(tell: (line: string) => void): Promise<string | undefined> {
  if (await isInstalled()) return undefined;
  tell('installing the peers');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['ci', '--prefix', peer(''), '--ignore-scripts', '--no-audit', '--no-fund'];
  try {
    await promisify(execFile)(npm, args);
    return undefined;
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n').slice(-2);
    return `the peers cannot be installed: ${line}`;
  }
}

/** As long as npm's own record of the folder is no older than the lockfile. */
async function isInstalled(): Promise<boolean> {
  const [installed, locked] = await Promise.all(
    ['node_modules/.package-lock.json', 'package-lock.json'].map((file) =>
      stat(peer(file)).catch(() => undefined),
    ),
  );
  return installed !== undefined && locked !== undefined && installed.mtimeMs >= locked.mtimeMs;
}
