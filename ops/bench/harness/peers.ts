import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Missing } from './report.js';
import type { SuiteRun } from './suite.js';

/** The source folder of this file: files that are not TypeScript stay there. */
const sources = new URL('../../../../ops/bench/', import.meta.url);

export const baseline = (file: string): string => fileURLToPath(new URL(`baselines/${file}`, sources));

const sourceOf = (file: string): string => fileURLToPath(new URL(`peers/${file}`, sources));
const lockHash = createHash('sha256')
  .update(readFileSync(sourceOf('package-lock.json')))
  .digest('hex');

/** Outside the repository, whose tests read every source below it; another lock file gets another folder. */
const cache = join(tmpdir(), 'svc-bench', `peers-${lockHash.slice(0, 12)}`);

export const peer = (file: string): string => join(cache, 'peers', file);

/** A contender; a peer may be missing, ours may not. */
export interface Contender {
  readonly name: string;
  readonly isPeer?: boolean;
}

/** Starts one after another; a peer that cannot be started is listed as missing. */
export async function startAll<T extends Contender, R>(
  contenders: readonly T[],
  start: (contender: T) => Promise<R>,
  running: R[],
  { install }: { readonly install: () => Promise<string | undefined> },
): Promise<Missing[]> {
  const withoutPeers = contenders.some(({ isPeer }) => isPeer === true) ? await install() : undefined;
  const missing: Missing[] = [];
  for (const contender of contenders) {
    if (contender.isPeer === true && withoutPeers !== undefined) {
      missing.push({ variant: contender.name, reason: withoutPeers });
      continue;
    }
    try {
      running.push(await start(contender));
    } catch (error) {
      if (contender.isPeer !== true) throw error;
      missing.push({
        variant: contender.name,
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return missing;
}

/** Installs the peers on first use; returns the reason if there are none. */
export async function installPeers({ isAlone, printProgress }: SuiteRun): Promise<string | undefined> {
  if (isAlone) return '--alone';
  // A script finds its packages from where it is.
  for (const folder of ['peers', 'baselines'])
    await cp(new URL(folder, sources), join(cache, folder), { recursive: true });
  if (existsSync(peer('node_modules/.package-lock.json'))) return undefined;
  printProgress('installing the peers');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['ci', '--prefix', peer(''), '--ignore-scripts', '--no-audit', '--no-fund'];
  try {
    await promisify(execFile)(npm, args);
    return undefined;
  } catch (error) {
    const lines = String(error).split('\n');
    const reason = lines.find((line) => line.startsWith('npm error')) ?? lines[0] ?? '';
    return `the peers cannot be installed: ${reason}`;
  }
}
