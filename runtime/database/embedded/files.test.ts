import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOnce, exists, hasCode, readIfExists, syncFolder } from './files.js';
import { withFolder } from './temporary-folder.js';

const test = suite('files');

test('of many who create the same file at once exactly one succeeds, and its text is whole', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'winner');
    const texts = Array.from({ length: 20 }, (_, index) => `writer ${index}`.repeat(1000));
    const created = await Promise.all(texts.map((text) => createOnce(file, text)));
    assert.is(created.filter(Boolean).length, 1);
    assert.is(await readFile(file, 'utf8'), texts[created.indexOf(true)]);
    assert.equal(await readdir(folder), ['winner']);
  }));

test('a missing file is an answer, not an error', () =>
  withFolder(async (folder) => {
    assert.is(await readIfExists(join(folder, 'nothing')), undefined);
    assert.is(await exists(join(folder, 'nothing')), false);
    assert.is(await exists(folder), true);
  }));

test('reading a folder as a file is still an error', () =>
  withFolder(async (folder) => {
    const error = await readIfExists(folder).catch((caught: unknown) => caught);
    assert.ok(hasCode(error, 'EISDIR'));
  }));

test('a folder can be written through to the disk', () => withFolder((folder) => syncFolder(folder)));

test.run();
