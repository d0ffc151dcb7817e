import { execFile } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Problem } from '../../contracts/problems.js';
import { withFolder } from '../kit/temporary-folder.js';
import { untilPasses } from '../kit/until.js';

/** A file system of its own. */
export interface SmallDisk {
  readonly folder: string;
  /** From now on nothing more can be written. */
  fill(): Promise<void>;
  /** It has space again. */
  free(): Promise<void>;
}

/** Provides a file system of this size, such as `120m`, in memory. */
export const withSmallDisk = (size: string, body: (disk: SmallDisk) => Promise<void>): Promise<void> =>
  withFolder(async (mount) => {
    const owner = `uid=${process.getuid?.() ?? 0},gid=${process.getgid?.() ?? 0}`;
    const resize = (to: string) => asRoot('mount', '-o', `remount,size=${to}`, mount);
    await asRoot('mount', '-t', 'tmpfs', '-o', `size=${size},mode=755,${owner}`, 'tmpfs', mount);
    try {
      const folder = join(mount, 'data');
      await mkdir(folder);
      await body({
        folder,
        // What is written meanwhile would not fit.
        fill: () => untilPasses(async () => resize(String(await usedBytes(mount)))),
        free: () => resize(size),
      });
    } finally {
      await asRoot('umount', '-l', mount);
    }
  });

async function usedBytes(path: string): Promise<number> {
  const { blocks, bfree, bsize } = await statfs(path);
  return (blocks - bfree) * bsize;
}

async function asRoot(program: string, ...args: readonly string[]): Promise<void> {
  const [command, ...rest] = process.getuid?.() === 0 ? [program, ...args] : ['sudo', '-n', program, ...args];
  await promisify(execFile)(command, rest).catch((cause: unknown) => {
    throw new Problem('invalid-setup', {
      detail: `This test needs a small file system: sudo ${program} ${args.join(' ')}`,
      cause,
    });
  });
}
