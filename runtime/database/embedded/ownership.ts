import { readdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../contracts/problems.js';
import { createOnce, findProcess, isAlive, type ProcessIdentity, readIfExists } from './operating-system.js';

/** The right to start and stop the server of a home; ends with its process. */
export interface Ownership {
  release(): Promise<void>;
}

/**
 * Owner files are named `owner.1`, `owner.2`, …; only the highest counts. Creating the next number succeeds a dead
 * owner, and exactly one process can do so: no process ever removes a lock that another has just acquired.
 */
export async function acquireOwnership(home: string): Promise<Ownership | undefined> {
  const last = latestGeneration(await readdir(home));
  if (await livingOwner(home, last)) return undefined;
  const generation = last + 1;
  const file = join(home, `owner.${generation}`);
  const text = await ownIdentity();
  if (!(await createOnce(file, text))) return undefined;
  const names = await readdir(home);
  if (latestGeneration(names) > generation) {
    // Our listing was so old that the number had already been used and removed.
    await rm(file, { force: true });
    return undefined;
  }
  await Promise.all(
    earlierGenerations(names, generation).map((name) => rm(join(home, name), { force: true })),
  );
  return { release: () => release(file, text) };
}

/** The live process that owns the home. */
export const findOwner = async (home: string): Promise<ProcessIdentity | undefined> =>
  livingOwner(home, latestGeneration(await readdir(home)));

export const latestGeneration = (names: readonly string[]): number => Math.max(0, ...names.map(generationOf));

export const earlierGenerations = (names: readonly string[], generation: number): readonly string[] =>
  names.filter((name) => generationOf(name) > 0 && generationOf(name) < generation);

/** Undefined for a released file, which is empty. */
export function parseOwner(text: string): ProcessIdentity | undefined {
  const { pid, startTime } = /^(?<pid>\d+) (?<startTime>.*)$/.exec(text)?.groups ?? {};
  return pid === undefined || startTime === undefined ? undefined : { pid: Number(pid), startTime };
}

async function livingOwner(home: string, generation: number): Promise<ProcessIdentity | undefined> {
  const owner = parseOwner((await readIfExists(join(home, `owner.${generation}`))) ?? '');
  return owner && (await isAlive(owner)) ? owner : undefined;
}

const generationOf = (name: string): number => Number(/^owner\.(\d+)$/.exec(name)?.[1] ?? 0);

async function ownIdentity(): Promise<string> {
  const found = await findProcess(process.pid);
  if (found) return `${found.pid} ${found.startTime}`;
  throw new Problem('invalid-setup', { detail: 'This process cannot find itself: is /proc mounted?' });
}

/** The empty file keeps its number in use. If the home was removed meanwhile, the number may belong to another process. */
async function release(file: string, text: string): Promise<void> {
  if ((await readIfExists(file)) === text) await truncate(file);
}
