import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Account } from './account.js';

export interface Permissions {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/** Whether the account may pass through every folder down to the path, and enter or run what is there. */
export async function reaches(account: Account, path: string): Promise<boolean> {
  if (account === undefined) return true;
  const steps = await Promise.all(lineage(await realpath(path)).map((step) => stat(step)));
  return steps.every((step) => mayPass(account, step));
}

/** As the kernel decides it: the first class that fits counts, even if a later one would allow more. */
export function mayPass(account: NonNullable<Account>, { uid, gid, mode }: Permissions): boolean {
  if (account.uid === uid) return (mode & 0o100) !== 0;
  if (account.gid === gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

export function lineage(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...lineage(parent), path];
}
