import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { setPriority } from 'node:os';
import { Problem } from '../../contracts/problems.js';
import { filesBelow } from './files.js';

const tsc = 'node_modules/typescript/bin/tsc';

/** Checks the types of a project, and writes what its tsconfig.json says. */
export async function checkTypes(root: string, project: string): Promise<void> {
  const child = spawn(process.execPath, [tsc, '-p', project], { cwd: root, stdio: ['ignore', 2, 2] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Problem('invalid-setup', { detail: `The types of ${project} are not right.` });
}

/** Writes the declarations of the package into `dist/`, one for each module; the type check is another project. */
export async function writeDeclarations(root: string): Promise<void> {
  await checkTypes(root, 'tsconfig.types.json');
  const dist = join(root, 'dist');
  const declarations = (await filesBelow(dist)).filter((name) => name.endsWith('.d.ts'));
  const entries = declarations.filter(isEntry);
  const needed = await reachedFrom(dist, entries);
  const exported = new Set([...entries, ...(await exportedFrom(dist, entries))]);
  for (const name of declarations)
    if (!needed.has(name)) await rm(join(dist, name));
    else if (!exported.has(name)) await removeComments(join(dist, name));
}

const isEntry = (name: string): boolean =>
  /^(?:\w+\/|actors\/(?:kit|system-events)\/)?index\.d\.ts$/.test(name);

/** The declarations that others need: most modules are reached by code alone. */
async function reachedFrom(dist: string, entries: readonly string[]): Promise<ReadonlySet<string>> {
  const reached = new Set(entries);
  for (const name of reached) for (const other of await namedIn(dist, name)) reached.add(other);
  return reached;
}

const exportedFrom = async (dist: string, entries: readonly string[]): Promise<readonly string[]> =>
  (await Promise.all(entries.map((name) => namedIn(dist, name)))).flat();

async function namedIn(dist: string, name: string): Promise<readonly string[]> {
  const text = await readFile(join(dist, name), 'utf8');
  const found = text.matchAll(/(?:from |import\(|import )['"](\.[^'"]+)\.js['"]/g);
  return [...found].map(([, path = '']) => posix.join(posix.dirname(name), `${path}.d.ts`));
}

/** Nobody who imports the package sees them: they are a quarter of all declarations. */
const removeComments = async (path: string): Promise<void> =>
  writeFile(path, (await readFile(path, 'utf8')).replaceAll(/\n?[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\//g, ''));

/** Checks the types while something else runs, and prints only what is wrong. */
export function checkTypesBeside(root: string): void {
  for (const project of ['tsconfig.json', 'examples/orders']) {
    const child = spawn(process.execPath, [tsc, '-p', project], {
      cwd: root,
      stdio: ['ignore', 2, 2],
      detached: true,
    });
    child.unref();
    if (child.pid !== undefined) setPriority(child.pid, 19);
  }
}
