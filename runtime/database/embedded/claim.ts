import { readdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../contracts/problems.js';
import { createOnce, findProcess, isAlive, type ProcessIdentity, readIfExists } from './system.js';

/** The right to start and stop the server of a home; it ends with its process. */
export interface Claim {
  release(): Promise<void>;
}

/**
 * Claims are files `owner.1`, `owner.2`, …; only the highest counts. A dead owner is succeeded by creating the
 * next number, which exactly one process can: nobody ever removes a lock that somebody else has just taken.
 */
export async function claimOwnership(home: string): Promise<Claim | undefined> {
  const last = latestTurn(await readdir(home));
  if (await livingOwner(home, last)) return undefined;
  const turn = last + 1;
  const file = join(home, `owner.${turn}`);
  const text = await ourselves();
  if (!(await createOnce(file, text))) return undefined;
  const names = await readdir(home);
  if (latestTurn(names) > turn) {
    // We looked so long ago that our number had been used and cleared away.
    await rm(file, { force: true });
    return undefined;
  }
  await Promise.all(earlierTurns(names, turn).map((name) => rm(join(home, name), { force: true })));
  return { release: () => release(file, text) };
}

/** The living process that owns the home. */
export const findOwner = async (home: string): Promise<ProcessIdentity | undefined> =>
  livingOwner(home, latestTurn(await readdir(home)));

export const latestTurn = (names: readonly string[]): number => Math.max(0, ...names.map(turnOf));

export const earlierTurns = (names: readonly string[], turn: number): readonly string[] =>
  names.filter((name) => turnOf(name) > 0 && turnOf(name) < turn);

/** Undefined for a claim that was given back: its file is empty. */
export function parseOwner(text: string): ProcessIdentity | undefined {
  const { pid, born } = /^(?<pid>\d+) (?<born>.*)$/.exec(text)?.groups ?? {};
  return pid === undefined || born === undefined ? undefined : { pid: Number(pid), born };
}

async function livingOwner(home: string, turn: number): Promise<ProcessIdentity | undefined> {
  const owner = parseOwner((await readIfExists(join(home, `owner.${turn}`))) ?? '');
  return owner && (await isAlive(owner)) ? owner : undefined;
}

const turnOf = (name: string): number => Number(/^owner\.(\d+)$/.exec(name)?.[1] ?? 0);

async function ourselves(): Promise<string> {
  const found = await findProcess(process.pid);
  if (found) return `${found.pid} ${found.born}`;
  throw new Problem('invalid-setup', { detail: 'This process cannot see itself: is /proc mounted?' });
}

/** The emptied file keeps its number taken. If the home was removed meanwhile, the number may be another's. */
async function release(file: string, text: string): Promise<void> {
  if ((await readIfExists(file)) === text) await truncate(file);
}
