import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { filesIn, pathOf, type Root } from './roots.js';

/** The built files that each built file imports, by their places in the repository. */
export type Imports = ReadonlyMap<string, readonly string[]>;

export async function readImports(roots: readonly Root[]): Promise<Imports> {
  const scripts = await filesIn(roots, (path) => path.endsWith('.js'));
  return new Map(
    await Promise.all(
      scripts.map(
        async (file) => [file, importsIn(file, await readFile(pathOf(roots, file), 'utf8'))] as const,
      ),
    ),
  );
}

/** Also what is only named by its address, such as the program of a process that a test starts. */
export function importsIn(file: string, text: string): string[] {
  const named = text.matchAll(
    /(?:from |import\(|import |new URL\()['"](?:(\.{1,2}\/[^'"]+\.js)|svc-runtime(?:\/([a-z]+))?)['"]/g,
  );
  const examples = text.matchAll(/(?:example(?:Here|ForProcess)\(|['"]examples\/)['"]?([\w-]+)['"]/g);
  return [
    ...Array.from(named, ([, path, entry]) =>
      path === undefined ? entryPoint(entry) : posix.join(posix.dirname(file), path),
    ),
    ...Array.from(examples, ([, name = '']) => `examples/${name}/main.js`),
  ];
}

/** Of the package, by which examples import it. */
function entryPoint(name: string | undefined): string {
  if (name === undefined) return 'index.js';
  return name === 'testing' ? 'actors/testing/index.js' : `${name}/index.js`;
}

/** Everything that a file needs, itself included. */
export function neededBy(file: string, imports: Imports): ReadonlySet<string> {
  const needed = new Set([file]);
  for (const one of needed) for (const next of imports.get(one) ?? []) needed.add(next);
  return needed;
}

/** The tests that need something of what has changed. */
export const affectedBy = (
  changed: ReadonlySet<string>,
  tests: readonly string[],
  imports: Imports,
): string[] => tests.filter((test) => [...neededBy(test, imports)].some((file) => changed.has(file)));
