import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// Whether what pages and examples are built from is as it was when they were last built: exits with 1 if not.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const [root = '.'] = positionals;
const file = join(root, 'dist/.built');

const folders = ['actors', 'contracts', 'endpoints', 'examples', 'ops', 'runtime'];

/** Examples are built with their tests; nothing else that is built here depends on a test. */
const isInput = (path: string): boolean =>
  /\.(?:css|html|json|tsx?)$/.test(path) &&
  !/^ops\/(?:bench|chaos|test)\/|\/(?:dist|node_modules)\//.test(path) &&
  (path.startsWith('examples/') || !path.endsWith('.test.ts'));

async function inputs(): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true }).catch(() => []);
      return names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
    }),
  );
  const top = await readdir(root);
  return [...top, ...found.flat()].filter(isInput).toSorted();
}

async function stamp(): Promise<string> {
  const lines = (await inputs()).map(async (path) => {
    const { mtimeMs, size } = await stat(join(root, path));
    return `${path} ${size} ${mtimeMs}`;
  });
  return createHash('sha256')
    .update((await Promise.all(lines)).join('\n'))
    .digest('hex');
}

const now = await stamp();
if (values.write) await writeFile(file, now);
else if (now !== (await readFile(file, 'utf8').catch(() => ''))) process.exitCode = 1;
