import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Problem } from '../../contracts/problems.js';
import { exists, hasCode, syncFolder, unlessMissing } from '../database/embedded/operating-system.js';
import { thrownMessage } from '../lang/thrown.js';
import type { ArchiveFiles } from './archive-files.js';

/** A folder, which another server may serve. */
export function folderFiles(folder: string): ArchiveFiles {
  const location = resolve(folder);
  return {
    location,
    put: (name, bytes) => replace(join(location, name), bytes).catch(refusedBy(location, 'written')),
    get: (name, maxBytes) => read(join(location, name), maxBytes).catch(refusedBy(location, 'read')),
  };
}

async function replace(path: string, bytes: Buffer): Promise<void> {
  await makeFolder(dirname(path));
  const unfinished = `${path}.tmp`;
  // It may be a link to a file elsewhere.
  await rm(unfinished, { force: true });
  await writeFile(unfinished, bytes, { mode: 0o600, flush: true, flag: 'wx' });
  await rename(unfinished, path);
  await syncFolder(dirname(path));
}

async function read(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const found = await unlessMissing(stat(path));
  if (found === undefined) return undefined;
  // A pipe or a device may have no end.
  if (!found.isFile()) throw new Problem('archive-altered', { detail: `${path} is not a file.` });
  if (found.size <= maxBytes) return readFile(path);
  throw new Problem('archive-altered', {
    detail: `${path} has ${found.size} bytes; at most ${maxBytes} are expected.`,
  });
}

/** A disk that is full, or a folder of someone else. */
const refusedBy =
  (location: string, what: string) =>
  (error: unknown): never => {
    if (error instanceof Problem) throw error;
    throw new Problem('invalid-setup', {
      detail: `${location} cannot be ${what}: ${thrownMessage(error)}. Correct that, or give another place, and run it again.`,
    });
  };

/**
 * A new folder is on the disk once the one that contains it is. Left to itself, Node tries for ever where nobody may make
 * one, such as in /proc.
 */
async function makeFolder(path: string): Promise<void> {
  if (await exists(path)) return;
  await makeFolder(dirname(path));
  await mkdir(path).catch((error: unknown) => {
    // Another store has made it meanwhile.
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  await syncFolder(dirname(path));
}
