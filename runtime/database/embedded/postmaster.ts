import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfExists } from './files.js';
import { findProcess, type LiveProcess } from './live-process.js';

export interface Postmaster {
  readonly pid: number;
  /** The cluster, by the name it had when the server started. */
  readonly cluster: string;
  readonly port: number;
  readonly status: 'starting' | 'ready' | 'stopping';
}

/** What `postmaster.pid` in a cluster turns out to mean. */
export type Found =
  | { readonly state: 'absent' }
  | { readonly state: 'stale' }
  | { readonly state: 'running'; readonly postmaster: Postmaster };

export const postmasterFile = (cluster: string): string => join(cluster, 'postmaster.pid');

export async function findPostmaster(cluster: string): Promise<Found> {
  const text = await readIfExists(postmasterFile(cluster));
  if (text === undefined) return { state: 'absent' };
  const postmaster = parsePostmaster(text);
  if (!postmaster || !isPostmaster(await findProcess(postmaster.pid), postmaster)) return { state: 'stale' };
  return (await isCopied(postmaster, cluster)) ? { state: 'stale' } : { state: 'running', postmaster };
}

/** Lines: pid, data directory, start time, port, socket directory, address, shared memory, status. */
export function parsePostmaster(text: string): Postmaster | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const [pid, cluster, port] = [Number(lines[0]), lines[1], Number(lines[3])];
  if (!(pid > 0) || !cluster || !(port > 0)) return undefined;
  const status = lines[7] === 'ready' || lines[7] === 'stopping' ? lines[7] : 'starting';
  return { pid, cluster, port, status };
}

/** The pid may have gone to another program, or to the server of another cluster. */
export function isPostmaster(found: LiveProcess | undefined, { cluster }: Postmaster): boolean {
  if (found?.command === undefined) return found !== undefined;
  return found.command.includes(`postgres -D ${cluster} `);
}

/** Whoever copies the folder of a running server copies its `postmaster.pid` along. */
async function isCopied(postmaster: Postmaster, cluster: string): Promise<boolean> {
  const ours = await realpath(cluster);
  return (await realpath(postmaster.cluster).catch(() => ours)) !== ours;
}
