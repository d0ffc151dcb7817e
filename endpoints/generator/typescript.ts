import { getLibFiles, libFolderInMemoryPath, ts } from '@ts-morph/common';

export { libFolderInMemoryPath as libraryFolder, ts };

/** The language's own declarations come with the bundled compiler; no type of a browser has a JSON form. */
const libraries = new Map(
  getLibFiles().map(({ fileName, text }) => [
    `${libFolderInMemoryPath}/${fileName}`,
    /^lib\.(?:dom|webworker|scripthost)/.test(fileName) ? '' : text,
  ]),
);

export const isLibrary = (name: string): boolean => libraries.has(name);

const parsed = new Map<string, ts.SourceFile>();

export type Version = ts.ScriptTarget | ts.CreateSourceFileOptions;

export function openLibrary(name: string, version: Version): ts.SourceFile | undefined {
  const text = libraries.get(name);
  return text === undefined ? undefined : parseOnce(name, text, version);
}

/** Parses declarations once for all trees: they are most of the cost of a small service. */
export function parseOnce(name: string, text: string, version: Version): ts.SourceFile {
  const key = `${JSON.stringify(version)} ${name}`;
  const known = parsed.get(key);
  if (known?.text === text) return known;
  const file = ts.createSourceFile(name, text, version, true);
  parsed.set(key, file);
  return file;
}
