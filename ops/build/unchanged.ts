import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBelow } from './files.js';

const folders = ['actors', 'contracts', 'endpoints', 'examples', 'ops', 'runtime'];

/** The package and the examples are built from these; a test of an example is built with it. */
const isInput = (path: string): boolean =>
  /\.(?:css|html|json|sql|tsx?)$/.test(path) &&
  !/^ops\/(?:bench|test)\/|(?:^|\/)(?:dist|node_modules)\//.test(path) &&
  (path.startsWith('examples/') || !path.endsWith('.test.ts'));

/** How much of it is built, each with all of those before: the scripts of the package, what a start needs, or all. */
const extents = ['watched', 'started', 'built'] as const;

export type Extent = (typeof extents)[number];

/** Builds unless as much is there, and its inputs are as they were when it was built. */
export async function unlessUnchanged(
  root: string,
  extent: Extent,
  build: () => Promise<void>,
): Promise<boolean> {
  const file = join(root, 'build/.built');
  const sources = await stampOf(root, (path) => !isGenerated(path));
  const before = `${sources} ${await stampOf(root, isGenerated)}`;
  const enough = extents.slice(extents.indexOf(extent));
  const last = await readFile(file, 'utf8').catch(() => '');
  if (existsSync(join(root, 'dist')) && enough.some((each) => last === `${each} ${before}`)) return false;
  // A build that fails leaves a part of it.
  await rm(file, { force: true });
  await build();
  // What was saved meanwhile may not be built; what was generated meanwhile is.
  await writeFile(file, `${extent} ${sources} ${await stampOf(root, isGenerated)}`);
  return true;
}

const isGenerated = (path: string): boolean => path.includes('/generated/');

async function stampOf(root: string, isWanted: (path: string) => boolean): Promise<string> {
  const lines = (await inputs(root)).filter(isWanted).map(async (path) => {
    const { mtimeMs, size } = await stat(join(root, path));
    return `${path} ${size} ${mtimeMs}`;
  });
  return createHash('sha256')
    .update((await Promise.all(lines)).join('\n'))
    .digest('hex');
}

async function inputs(root: string): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await filesBelow(join(root, folder));
      return names.map((name) => `${folder}/${name}`);
    }),
  );
  const top = await readdir(root);
  return [...top, ...found.flat()].filter(isInput).toSorted();
}
