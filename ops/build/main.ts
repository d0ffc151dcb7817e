import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildApplications } from './applications.js';
import { bundlePackage } from './bundle.js';
import { buildExample, buildExampleOnModules, type Example, examples } from './examples.js';
import { compileModules, linkOnce } from './modules.js';
import { buildPages } from './pages.js';
import { writePagesText } from './pages-text.js';
import { writeSchema } from './schema.js';
import { checkTypes, checkTypesBeside, writeDeclarations } from './types.js';
import { unlessUnchanged } from './unchanged.js';

const root = process.cwd();
const all = Object.keys(examples) as Example[];

/** The package: what is packed. */
const buildPackage = (): Promise<unknown> =>
  Promise.all([
    bundlePackage(root).then(() => writePagesText(root)),
    buildPages(root),
    writeDeclarations(root),
  ]);

/** What `npm start` needs; types are checked while the host runs, on a terminal: who reads a pipe would wait for it. */
async function buildForStart(): Promise<void> {
  const built = await unlessUnchanged(root, 'started', async () => {
    await buildPackage();
    await buildExample(root, 'orders');
  });
  if (built && process.stderr.isTTY) checkTypesBeside(root);
}

async function buildAll(): Promise<void> {
  const compiled = compileModules(root);
  await Promise.all([
    compiled,
    checkTypes(root, 'tsconfig.json'),
    unlessUnchanged(root, 'built', async () => {
      await buildPackage();
      await compiled;
      await buildApplications(root);
      for (const name of all) await buildExample(root, name);
      for (const name of all) await buildExampleOnModules(root, name);
      for (const name of all) await checkTypes(root, `examples/${name}`);
      await checkTypes(root, 'tsconfig.pages.json');
      await checkTypes(root, 'ops/create');
    }),
  ]);
}

// Examples import the package by its name, as if it were installed; an install removes the link.
await linkOnce(root, join(root, 'node_modules/svc-runtime'));
await writeSchema(root);
const { values } = parseArgs({ options: { start: { type: 'boolean', default: false } } });
try {
  await (values.start ? buildForStart() : buildAll());
} catch (error) {
  process.stderr.write(`build: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
