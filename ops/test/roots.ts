import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow } from '../build/files.js';

/** A folder of compiled files; its files are named by their paths in the repository, which begin with its label. */
export interface Root {
  readonly folder: string;
  readonly label: string;
}

/** Where the build puts every module. */
export const built = fileURLToPath(new URL('../../', import.meta.url));
export const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** The build, and the examples that are built in place. */
export async function builtRoots(): Promise<Root[]> {
  const examples = (await readdir(join(repository, 'examples')).catch(() => []))
    .map((name) => ({ folder: join(repository, 'examples', name, 'dist'), label: `examples/${name}/` }))
    .filter(({ folder }) => existsSync(folder));
  return [{ folder: built, label: '' }, ...examples];
}

export async function filesIn(
  roots: readonly Root[],
  isWanted: (path: string) => boolean,
): Promise<string[]> {
  const found = await Promise.all(
    roots.map(async ({ folder, label }) => {
      const paths = await filesBelow(folder);
      return paths.filter((path) => !isForProcesses(path) && isWanted(path)).map((path) => `${label}${path}`);
    }),
  );
  return found.flat().toSorted();
}

/** Examples and services as a host loads them; their sources are compiled elsewhere too. */
const isForProcesses = (path: string): boolean => /^(?:applications|examples)\//.test(path);

/** The path of a file that was found. */
export function pathOf(roots: readonly Root[], file: string): string {
  const root = roots.findLast(({ label }) => label !== '' && file.startsWith(label)) ?? roots[0];
  return root === undefined ? file : join(root.folder, file.slice(root.label.length));
}
