import { getLibFiles, libFolderInMemoryPath, ts } from '@ts-morph/common';

export { libFolderInMemoryPath as libraryFolder, ts };

/** The language's own declarations come with the bundled compiler; nothing that a browser declares has a JSON form. */
const libraries = new Map(
  getLibFiles().map(({ fileName, text }) => [
    `${libFolderInMemoryPath}/${fileName}`,
    /^lib\.(?:dom|webworker|scripthost)/.test(fileName) ? '' : text,
  ]),
);

export const isLibrary = (name: string): boolean => libraries.has(name);

const parsed = new Map<string, ts.SourceFile>();

/** Parsed once for all trees: they are half of what a small service costs. */
export function openLibrary(
  name: string,
  version: ts.ScriptTarget | ts.CreateSourceFileOptions,
): ts.SourceFile | undefined {
  const text = libraries.get(name);
  if (text === undefined) return undefined;
  const key = `${JSON.stringify(version)} ${name}`;
  const known = parsed.get(key) ?? ts.createSourceFile(name, text, version, true);
  parsed.set(key, known);
  return known;
}
