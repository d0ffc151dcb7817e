import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Problem } from '../../contracts/problems.js';
import { scriptsBelow } from './modules.js';

/** The services of each example. */
export const examples = {
  orders: ['examples/orders'],
  helpdesk: ['examples/helpdesk'],
  'two-services': ['examples/two-services/shop', 'examples/two-services/warehouse'],
} as const;

export type Example = keyof typeof examples;

/** Generates and compiles an example as its author would, on the bundle of the package. */
export async function buildExample(root: string, name: Example): Promise<void> {
  for (const service of examples[name]) await generate(root, service);
  const folder = join(root, 'examples', name);
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await compileExample(root, name, join(folder, 'dist'), true);
}

/** The same services on the modules in `build/`, for tests that run a host in their own process. */
export async function buildExampleOnModules(root: string, name: Example): Promise<void> {
  const [from, to] = [join(root, 'examples', name), join(root, 'build/examples', name)];
  await rm(to, { recursive: true, force: true });
  await compileExample(root, name, join(to, 'dist'));
  for (const entry of await readdir(from)) {
    if (!/^dist$|\.ts$/.test(entry)) await cp(join(from, entry), join(to, entry), { recursive: true });
  }
}

/** Not in a process of its own: to load the compiler takes longer than to generate a small service. */
async function generate(root: string, service: string): Promise<void> {
  // The compiler takes half a second to load: what runs in other processes has begun by then.
  const { runGenerate } = await import('../commands/run-generate.js');
  await runGenerate([join(root, service)]);
  if (process.exitCode === 1)
    throw new Problem('invalid-setup', { detail: `${service} could not be generated.` });
}

async function compileExample(root: string, name: Example, outdir: string, withTests = false): Promise<void> {
  const folder = `examples/${name}`;
  const sources = (await scriptsBelow(root, folder)).filter(
    (path) => withTests || !path.endsWith('.test.ts'),
  );
  await build({
    absWorkingDir: root,
    entryPoints: sources,
    outdir,
    outbase: join(root, folder),
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
  });
}
