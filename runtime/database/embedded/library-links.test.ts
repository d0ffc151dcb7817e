import { mkdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeLibraryLinks, parseLinks } from './library-links.js';
import { withFolder } from './temporary-folder.js';

const test = suite('library links');
const link = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' };

test('links that an install without scripts left out are made, relative to their folder', () =>
  withFolder(async (root) => {
    await mkdir(join(root, 'native', 'lib'), { recursive: true });
    await writeFile(join(root, 'native', 'pg-symlinks.json'), JSON.stringify([link]));
    const made = await Promise.all([makeLibraryLinks(root), makeLibraryLinks(root)]);
    assert.equal(made, [true, true]);
    assert.is(await readlink(join(root, link.target)), 'libpq.so.5.18');
  }));

test('a package without a list of links needs none', () =>
  withFolder(async (root) => {
    assert.ok(await makeLibraryLinks(root));
  }));

test('what is not a link in the list is passed over', () => {
  assert.equal(parseLinks(JSON.stringify([link, null, 'libpq', { source: 1, target: 2 }])), [link]);
  assert.equal(parseLinks('{}'), []);
});

test.run();
