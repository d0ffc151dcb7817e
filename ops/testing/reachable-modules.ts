import { existsSync, readFileSync } from 'node:fs';
import { dirname, posix, relative, resolve } from 'node:path';

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin: Readonly<Record<string, string>>;
}

/** The built modules that the entry points of a package reach, by code or by types, without their extension. */
export function reachableModules(root: string): ReadonlySet<string> {
  const { exports, bin } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as Manifest;
  const entries = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : Object.values(entry),
  );
  const reached = new Set([...entries, ...Object.values(bin)].map((entry) => resolve(root, entry)));
  for (const file of reached) for (const next of importsOf(file)) if (existsSync(next)) reached.add(next);
  return new Set([...reached].map((file) => moduleOf(relative(root, file))));
}

export const moduleOf = (path: string): string => path.replaceAll('\\', '/').replace(/\.(?:d\.ts|js)$/, '');

/** A thread and a cluster process are named by their URL. */
const specifiers =
  /\b(?:from|import) '(?<named>\.[^'$]+)'|\bimport\(['"](?<called>\.[^'"$]+)['"]\)|new URL\('(?<beside>[\w-]+\.js)'/g;

function importsOf(file: string): readonly string[] {
  const found = [...readFileSync(file, 'utf8').matchAll(specifiers)].map(({ groups = {} }) =>
    resolve(dirname(file), groups['named'] ?? groups['called'] ?? posix.join('.', groups['beside'] ?? '')),
  );
  return file.endsWith('.d.ts') ? found.map((path) => path.replace(/\.js$/, '.d.ts')) : found;
}
