import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { pageFolders } from '../build/pages.js';
import { filesIn, pathOf, type Root } from './roots.js';

/** The files that each built file needs, by their paths in the repository; a page or an example is its folder. */
export type Imports = ReadonlyMap<string, readonly string[]>;

export async function readImports(roots: readonly Root[]): Promise<Imports> {
  const scripts = await filesIn(roots, (path) => path.endsWith('.js'));
  const read = async (file: string) =>
    [file, importsIn(file, await readFile(pathOf(roots, file), 'utf8'))] as const;
  return new Map([...(await Promise.all(scripts.map(read))), ...examplesOf(scripts)]);
}

/** What a file imports; also what it names only by a URL, such as a program that it starts or a page that it reads. */
export function importsIn(file: string, text: string): string[] {
  const at = (path: string): string => posix.join(posix.dirname(file), path);
  const named = text.matchAll(
    /(?:from |import\(|import |new URL\()['"](?:(\.{1,2}\/[^'"]+\.(?:css|js))|svc-runtime(?:\/([a-z-]+))?)['"]/g,
  );
  const folders = text.matchAll(/new URL\(['"`](\.{1,2}\/[\w/.-]+)\//g);
  const examples = text.matchAll(/(?:example(?:Here|ForProcess)\(['"]|['"/]examples\/)([\w-]+)['"/]/g);
  return [
    ...Array.from(named, ([, path, entry]) => (path === undefined ? entryPoint(entry) : at(path))),
    ...Array.from(folders, ([, path = '']) => at(path)).filter((path) => pageFolders.includes(path)),
    ...Array.from(examples, ([, name]) => `examples/${name}`),
  ];
}

/** Entry points that are not named like their folder. */
const entryFolders: Readonly<Record<string, string>> = {
  'system-events': 'actors/system-events',
  testing: 'actors/kit',
};

/** The entry point of the package by which examples import it. */
function entryPoint(name: string | undefined): string {
  if (name === undefined) return 'index.js';
  return `${entryFolders[name] ?? name}/index.js`;
}

/** A process loads an example by its folder. */
function examplesOf(scripts: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const script of scripts.filter((path) => !path.endsWith('.test.js'))) {
    const [folder] = /^examples\/[\w-]+/.exec(script) ?? [];
    if (folder !== undefined) found.set(folder, [...(found.get(folder) ?? []), script]);
  }
  return found;
}

/** Everything that a file needs, itself included. */
export function neededBy(file: string, imports: Imports): ReadonlySet<string> {
  const needed = new Set([file]);
  for (const one of needed) for (const next of imports.get(one) ?? []) needed.add(next);
  return needed;
}

/** The tests that need something that has changed. */
export const affectedBy = (
  changed: ReadonlySet<string>,
  tests: readonly string[],
  imports: Imports,
): string[] => tests.filter((test) => [...neededBy(test, imports)].some((file) => changed.has(file)));
