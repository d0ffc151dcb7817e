import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib';
import { filesBelow } from './files.js';

const compress = promisify(brotliCompress);

const read = /^(?:guides|operations)\/.*\.md$|^getting-started\.md$/;

/** Of `BROTLI_PARAM_QUALITY`: the best takes a second, which a first `npm start` would wait for. */
export const smallest = constants.BROTLI_MAX_QUALITY;
export const fastest = 5;

/** Writes the pages that `docs_search` reads as one text, each under its path: the package has no other documentation. */
export async function writePagesText(root: string, quality: number): Promise<void> {
  await write(root, await pagesText(root), quality);
}

/** Writes them again if they have changed, which is no reason to build the package again. */
export async function refreshPagesText(root: string): Promise<void> {
  const text = await pagesText(root);
  const written = await readFile(join(root, place));
  if (!brotliDecompressSync(written).equals(Buffer.from(text))) await write(root, text, smallest);
}

const place = 'dist/docs.txt.br';

async function pagesText(root: string): Promise<string> {
  const docs = join(root, 'docs');
  const names = (await filesBelow(docs)).filter((name) => read.test(name)).toSorted();
  const pages = await Promise.all(
    names.map(async (name) => `\f${name}\n${await readFile(join(docs, name), 'utf8')}`),
  );
  return pages.join('');
}

async function write(root: string, text: string, quality: number): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  await writeFile(join(root, place), await compress(text, { params }));
}
