import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { writeFiles } from '../testing/packed-package.js';
import { fastest, refreshPagesText, writePagesText } from './pages-text.js';

const test = suite('the text of the guides');

test('it is written again after a page has changed, though nothing else is built, and only then', () =>
  withFolder(async (root) => {
    const packed = join(root, 'dist/docs.txt.br');
    const text = async (): Promise<string> => brotliDecompressSync(await readFile(packed)).toString();
    await writeFiles(root, { 'docs/guides/bread.md': 'Bake it.', 'dist/index.js': '' });
    await writePagesText(root, fastest);
    assert.is(await text(), '\fguides/bread.md\nBake it.');
    const { mtimeMs } = await stat(packed);
    await refreshPagesText(root);
    assert.is((await stat(packed)).mtimeMs, mtimeMs);
    await writeFiles(root, { 'docs/guides/bread.md': 'Bake it twice.' });
    await refreshPagesText(root);
    assert.is(await text(), '\fguides/bread.md\nBake it twice.');
  }));
