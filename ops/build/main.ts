import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildApplications } from './applications.js';
import { bundlePackage } from './bundle.js';
import { buildExample, buildExampleOnModules, type Example, examples } from './examples.js';
import { compileModules, linkOnce } from './modules.js';
import { buildPages } from './pages.js';
import { fastest, refreshPagesText, smallest, writePagesText } from './pages-text.js';
import { writeSchema } from './schema.js';
import { checkTypes, checkTypesBeside, writeDeclarations } from './types.js';
import { unlessUnchanged } from './unchanged.js';

const root = process.cwd();
const all = Object.keys(examples) as Example[];

/** The package: what is packed. To generate an example takes its declarations alone. */
function buildPackage(quality: number) {
  const declared = writeDeclarations(root);
  const bundled = bundlePackage(root).then(() => writePagesText(root, quality));
  return { declared, packaged: Promise.all([declared, bundled, buildPages(root)]) };
}

/** What `npm start` needs; types are checked while the host runs, on a terminal: who reads a pipe would wait for it. */
async function buildForStart(): Promise<void> {
  const built = await unlessUnchanged(root, 'started', async () => {
    const { declared, packaged } = buildPackage(fastest);
    await Promise.all([packaged, declared.then(() => buildExample(root, 'orders'))]);
  });
  if (built && process.stderr.isTTY) checkTypesBeside(root);
}

async function buildAll(): Promise<void> {
  const compiled = compileModules(root);
  const [, , isNew] = await Promise.all([
    compiled,
    checkTypes(root, 'tsconfig.json'),
    unlessUnchanged(root, 'built', () => buildPackaged(compiled)),
  ]);
  if (!isNew) await refreshPagesText(root);
}

/** The package, and what is built on it. A generator uses one core and a type check all: they run side by side. */
async function buildPackaged(compiled: Promise<void>): Promise<void> {
  const { declared, packaged } = buildPackage(smallest);
  const generated = new Map(
    all.map((name) => [name, declared.then(() => buildExample(root, name))] as const),
  );
  await Promise.all([
    compiled.then(() => buildApplications(root)),
    ...[...generated].map(async ([name, done]) => {
      await Promise.all([compiled, done]);
      await buildExampleOnModules(root, name);
    }),
    packaged.then(() => checkOneByOne(generated)),
  ]);
}

async function checkOneByOne(generated: ReadonlyMap<Example, Promise<void>>): Promise<void> {
  for (const project of ['tsconfig.pages.json', 'ops/create']) await checkTypes(root, project);
  for (const [name, done] of generated) {
    await done;
    await checkTypes(root, `examples/${name}`);
  }
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
