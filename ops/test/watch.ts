import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { bundlePackage } from '../build/bundle.js';
import { compileModules } from '../build/modules.js';
import { unlessUnchanged } from '../build/unchanged.js';
import { findTestFiles, isLong } from './find-test-files.js';
import { affectedBy, type Imports, readImports } from './imports.js';
import { killGroup, leadsGroup } from './process-group.js';
import { builtRoots, pathOf, repository, type Root } from './roots.js';
import { print, runTests } from './run.js';

/** Compiles after every change, and runs the tests that need what has changed; with filters only those. */
export async function watchTests(filters: readonly string[], signal: AbortSignal): Promise<void> {
  const compiler = startCompiler([tsc, '-p', project, '--watch', '--preserveWatchOutput'], signal);
  const roots = await builtRoots();
  let since = filters.length > 0 ? 0 : Date.now();
  for await (const line of createInterface(compiler.stdout)) {
    const errors = /Found (\d+) errors?\. Watching/.exec(line)?.[1];
    if (errors === undefined) print([line]);
    if (errors !== '0') continue;
    const from = since;
    since = Date.now();
    await compileModules(repository);
    // Processes that tests start load the package.
    await unlessUnchanged(repository, 'watched', () => bundlePackage(repository));
    const imports = await readImports(roots);
    const changed = await changedSince(from, roots, imports);
    const tests = await findTestFiles(roots, filters);
    const files = affectedBy(changed, tests, imports).filter((file) => filters.length > 0 || !isLong(file));
    if (files.length > 0) await runTests(roots, files, { signal, imports });
    print(['', 'Waiting for a change.']);
  }
  if (compiler.exitCode === null && compiler.signalCode === null) await once(compiler, 'close');
}

/** The signal ends it with what it has started: TypeScript's program only runs another one, which does the work. */
export function startCompiler(args: readonly string[], signal: AbortSignal): Compiler {
  const compiler = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: leadsGroup,
  });
  signal.addEventListener('abort', () => killGroup(compiler, 'SIGTERM'), { once: true });
  return compiler;
}

type Compiler = ChildProcessByStdio<null, Readable, null>;

const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');
const project = join(repository, 'tsconfig.json');

async function changedSince(
  ms: number,
  roots: readonly Root[],
  imports: Imports,
): Promise<ReadonlySet<string>> {
  const files = [...imports.keys()].filter((file) => file.endsWith('.js'));
  const times = await Promise.all(files.map(async (file) => (await stat(pathOf(roots, file))).mtimeMs));
  return new Set(files.filter((_, n) => (times[n] ?? 0) >= ms));
}
