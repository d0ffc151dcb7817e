import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Takes the first number that no other process has taken by a file in this folder; none is ever given back. */
export async function claim(folder: string, count: number): Promise<number | undefined> {
  for (let number = 0; number < count; number++) {
    try {
      await writeFile(join(folder, String(number)), '', { flag: 'wx' });
      return number;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return undefined;
}
