import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** Texts of one source file, and what replaces them. */
export interface SourceChange {
  /** The path from the root. */
  readonly file: string;
  readonly changes: readonly (readonly [text: string, replacement: string])[];
}

/** Loads a module of the repository, and everything that it imports, once more, with one file changed. */
export async function importChanged(root: string, entry: string, change: SourceChange): Promise<object> {
  // The packages that it imports are found from there.
  const outfile = join(root, 'build', `changed-${process.pid}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    keepNames: true,
    logLevel: 'warning',
    plugins: [changing(join(root, change.file), change.changes)],
  });
  try {
    return (await import(`${pathToFileURL(outfile).href}?${Date.now()}`)) as object;
  } finally {
    await rm(outfile);
  }
}

/** Of the whole process. */
const shared = 'runtime/logging/log.js';

const changing = (file: string, changes: SourceChange['changes']): Plugin => ({
  name: 'changing',
  setup: (building) => {
    building.onResolve({ filter: /\/logging\/log\.js$/ }, () => ({ path: `./${shared}`, external: true }));
    building.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path !== file) return undefined;
      let contents = await readFile(path, 'utf8');
      for (const [before, after] of changes) {
        if (contents.split(before).length !== 2)
          throw new TypeError(`${file} does not contain once: ${before}`);
        contents = contents.replace(before, () => after);
      }
      return { contents, loader: 'ts' };
    });
  },
});
