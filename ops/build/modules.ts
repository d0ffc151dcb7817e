import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { filesBelow } from './files.js';
import { isOfPage, pageFolders } from './pages.js';

const folders = ['contracts', 'runtime', 'actors', 'endpoints', 'ops'];

/** Compiles the modules one by one into `build/`, for tests, bench and chaos; only those that have changed. */
export async function compileModules(root: string): Promise<void> {
  const sources = await sourcesIn(root);
  const built = join(root, 'build');
  const began = new Date();
  await compile(root, await changed(root, sources, built), built);
  await noteCompiled(built, began);
  await removeOrphans(built, new Set(sources.map(scriptOf)));
  await describe(root, built);
}

/** Transpiled without a look at types, which the type check reads at the same time. */
async function compile(root: string, sources: readonly string[], outdir: string): Promise<void> {
  if (sources.length === 0) return;
  await build({
    absWorkingDir: root,
    entryPoints: [...sources],
    outdir,
    outbase: root,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
  });
}

/** Every module of the repository but those of pages and of the template of new services. */
async function sourcesIn(root: string): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => scriptsBelow(root, folder)));
  return ['index.ts', ...found.flat()].filter(
    (path) => !isOfPage(path) && !/^ops\/(?:create\/(?:template|dist)|bench\/peers)\//.test(path),
  );
}

/** TypeScript below a folder, as paths with slashes from the root. */
export async function scriptsBelow(root: string, folder: string): Promise<string[]> {
  const found = await filesBelow(join(root, folder));
  return found
    .filter((name) => /(?<!\.d)\.ts$/.test(name) && !/(?:^|\/)(?:node_modules|dist)\//.test(name))
    .map((name) => `${folder}/${name}`);
}

const scriptOf = (source: string): string => source.replace(/\.ts$/, '.js');

/** They decide how everything is compiled. */
const settings = ['tsconfig.json', 'package-lock.json', 'ops/build/modules.ts'];

const stamp = '.compiled';

/** A source that is saved while modules are compiled may be read before: it counts as changed the next time. */
async function noteCompiled(built: string, began: Date): Promise<void> {
  await mkdir(built, { recursive: true });
  await writeFile(join(built, stamp), '');
  await utimes(join(built, stamp), began, began);
}

async function changed(root: string, sources: readonly string[], built: string): Promise<string[]> {
  const timeOf = async (path: string): Promise<number> => (await stat(path)).mtimeMs;
  const compiledAt = await timeOf(join(built, stamp)).catch(() => 0);
  const times = await Promise.all(settings.map((path) => timeOf(join(root, path))));
  const isStale = async (path: string): Promise<boolean> =>
    !existsSync(join(built, scriptOf(path))) ||
    Math.max(await timeOf(join(root, path)), ...times) >= compiledAt;
  const stale = await Promise.all(sources.map(isStale));
  return sources.filter((_, index) => stale[index]);
}

/** A test whose source is gone would still run. */
async function removeOrphans(built: string, scripts: ReadonlySet<string>): Promise<void> {
  for (const folder of folders) {
    const found = await filesBelow(join(built, folder));
    for (const name of found.filter((each) => each.endsWith('.js'))) {
      const path = `${folder}/${name}`;
      if (scripts.has(path)) continue;
      await rm(join(built, path));
      await rm(join(built, `${path}.map`), { force: true });
    }
  }
}

/** Modules that import the package by its name get these modules, and no second copy of them from the bundle. */
async function describe(root: string, built: string): Promise<void> {
  const entry = (folder: string): string => `./${folder}/index.js`;
  const exports = {
    '.': './index.js',
    ...Object.fromEntries(folders.map((folder) => [`./${folder}`, entry(folder)])),
    './system-events': entry('actors/system-events'),
    './testing': entry('actors/kit'),
    './package.json': './package.json',
  };
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const manifest = { name: 'svc-runtime', version, type: 'module', exports };
  await writeFile(join(built, 'package.json'), JSON.stringify(manifest));
  await linkOnce(built, join(built, 'examples/node_modules/svc-runtime'));
  for (const folder of pageFolders) await linkOnce(join(root, 'dist', folder), join(built, folder));
}

/** A link that is there already stays. */
export async function linkOnce(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(relative(dirname(path), target), path, 'junction').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
