import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Problem } from '../../contracts/problems.js';
import type { ArchiveFiles } from './archive-files.js';

/** A folder, which another server may serve. */
export function folderFiles(folder: string): ArchiveFiles {
  const location = resolve(folder);
  return {
    location,
    put: async (name, bytes) => {
      const path = join(location, name);
      await mkdir(dirname(path), { recursive: true });
      const unfinished = `${path}.tmp`;
      await writeSynced(unfinished, bytes);
      await rename(unfinished, path);
      await syncFolder(dirname(path));
    },
    get: async (name, maxBytes) => {
      const path = join(location, name);
      const size = await sizeOf(path);
      if (size === undefined) return undefined;
      if (size > maxBytes)
        throw new Problem('archive-altered', {
          detail: `${path} has ${size} bytes; at most ${maxBytes} are expected.`,
        });
      const file = await open(path);
      try {
        return await file.readFile();
      } finally {
        await file.close();
      }
    },
  };
}

async function writeSynced(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The name of a new file is on the disk once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
