import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Problem } from '../../contracts/problems.js';
import { syncFolder, unlessMissing } from '../database/embedded/operating-system.js';
import type { ArchiveFiles } from './archive-files.js';

/** A folder, which another server may serve. */
export function folderFiles(folder: string): ArchiveFiles {
  const location = resolve(folder);
  return {
    location,
    put: async (name, bytes) => {
      const path = join(location, name);
      await makeFolder(dirname(path));
      const unfinished = `${path}.tmp`;
      // It may be a link to a file elsewhere.
      await rm(unfinished, { force: true });
      await writeFile(unfinished, bytes, { mode: 0o600, flush: true, flag: 'wx' });
      await rename(unfinished, path);
      await syncFolder(dirname(path));
    },
    get: async (name, maxBytes) => {
      const path = join(location, name);
      const found = await unlessMissing(stat(path));
      if (found === undefined) return undefined;
      // A pipe or a device may have no end.
      if (!found.isFile()) throw new Problem('archive-altered', { detail: `${path} is not a file.` });
      if (found.size <= maxBytes) return readFile(path);
      throw new Problem('archive-altered', {
        detail: `${path} has ${found.size} bytes; at most ${maxBytes} are expected.`,
      });
    },
  };
}

/** A new folder is on the disk once the one that contains it is. */
async function makeFolder(path: string): Promise<void> {
  const highest = await mkdir(path, { recursive: true });
  if (highest === undefined) return;
  for (let made = path; made.length >= highest.length; made = dirname(made)) await syncFolder(dirname(made));
}
