import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { filesBelow } from './files.js';

const read = /^(?:guides|operations)\/.*\.md$|^getting-started\.md$/;

/** Writes the pages that `docs_search` reads as one text, each under its path: the package has no other documentation. */
export async function writePagesText(root: string): Promise<void> {
  const docs = join(root, 'docs');
  const names = (await filesBelow(docs)).filter((name) => read.test(name)).toSorted();
  const pages = await Promise.all(
    names.map(async (name) => `\f${name}\n${await readFile(join(docs, name), 'utf8')}`),
  );
  await writeFile(join(root, 'dist/docs.txt.br'), brotliCompressSync(pages.join('')));
}
