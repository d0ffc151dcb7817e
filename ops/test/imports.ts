import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** The built files that each built file imports, by paths below a root. */
export type Imports = ReadonlyMap<string, readonly string[]>;

export async function readImports(root: string): Promise<Imports> {
  const found = (await readdir(root, { recursive: true })).map((path) => path.replaceAll('\\', '/'));
  const scripts = found.filter((path) => path.endsWith('.js') && !path.endsWith('/app.js'));
  return new Map(
    await Promise.all(
      scripts.map(async (file) => [file, importsIn(file, await readFile(join(root, file), 'utf8'))] as const),
    ),
  );
}

/** Also what is only named by its address, such as the program of a process that a test starts. */
export function importsIn(file: string, text: string): string[] {
  const named = text.matchAll(/(?:from |import\(|import |new URL\()'(\.{1,2}\/[^']+\.js)'/g);
  return [...named].map(([, path = '']) => posix.join(posix.dirname(file), path));
}

/** Everything that a file needs, itself included. */
export function neededBy(file: string, imports: Imports): ReadonlySet<string> {
  const needed = new Set([file]);
  for (const one of needed) for (const next of imports.get(one) ?? []) needed.add(next);
  return needed;
}
