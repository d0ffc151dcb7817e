import { mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { exists, hasCode } from './files.js';

/** A link that npm packages cannot hold; paths are relative to the package. */
export interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/** Makes the links that the package's install script would have made; false where we may not write. */
export async function makeLibraryLinks(root: string): Promise<boolean> {
  const list = join(root, 'native', 'pg-symlinks.json');
  const links = (await exists(list)) ? parseLinks(await readFile(list, 'utf8')) : [];
  try {
    for (const link of links) await makeLink(root, link);
    return true;
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}

export function parseLinks(text: string): readonly LibraryLink[] {
  const found: unknown = JSON.parse(text);
  return Array.isArray(found) ? found.filter(isLink) : [];
}

const isLink = (value: unknown): value is LibraryLink =>
  typeof value === 'object' &&
  value !== null &&
  'source' in value &&
  'target' in value &&
  typeof value.source === 'string' &&
  typeof value.target === 'string';

async function makeLink(root: string, { source, target }: LibraryLink): Promise<void> {
  const path = join(root, target);
  if (await exists(path)) return;
  await mkdir(dirname(path), { recursive: true });
  try {
    await symlink(relative(dirname(target), source), path);
  } catch (error) {
    // Another process may be making the same links for another data folder.
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}
