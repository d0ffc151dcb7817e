import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** The files below a folder, as paths with slashes from it; links are not followed, since some lead upwards. */
export async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}
