import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withSources } from '../testing/source-tree.js';
import { differenceOf, WrittenFiles, writeDifference } from './write-generated-files.js';

const test = suite('writing generated files');

const written = '// Written by svc generate; changes here are lost.\n';
const file = (path: string, text = written) => ({ path, text });

test('only changed files are written, and then nothing differs', () =>
  withSources({ 'generated/same.ts': written }, async (dir) => {
    const files = [file('generated/same.ts'), file('orders/generated/new.ts')];
    const difference = await differenceOf(dir, files);
    assert.equal(difference, { changed: [file('orders/generated/new.ts')], vanished: [] });
    await writeDifference(dir, difference);
    assert.equal(await differenceOf(dir, files), { changed: [], vanished: [] });
  }));

test('obsolete files are removed, in every folder named generated', () =>
  withSources(
    { 'a/generated/old.endpoint.ts': written, 'generated/schema.graphql': 'type Query' },
    async (dir) => {
      const difference = await differenceOf(dir, []);
      assert.equal(difference.vanished, ['a/generated/old.endpoint.ts', 'generated/schema.graphql']);
      await writeDifference(dir, difference);
      assert.equal(await readdir(join(dir, 'a/generated')), []);
    },
  ));

test('files of others in such a folder stay', () =>
  withSources({ 'generated/mine.ts': 'export const mine = 1;', 'generated/notes.md': 'x' }, async (dir) => {
    assert.equal(await differenceOf(dir, []), { changed: [], vanished: [] });
  }));

test('releases that are kept, hidden folders, packages and what is built stay as they are', () =>
  withSources(
    Object.fromEntries(
      ['releases/1.0.0/app/src', '.svc', 'a/.cache', 'node_modules/b', 'dist'].map((folder) => [
        `${folder}/generated/old.ts`,
        written,
      ]),
    ),
    async (dir) => {
      assert.equal(await differenceOf(dir, []), { changed: [], vanished: [] });
    },
  ));

test('a file is replaced as a whole, without half-written leftovers', () =>
  withSources({ 'generated/a.ts': written }, async (dir) => {
    await writeFile(join(dir, 'generated/a.ts'), 'edited by hand');
    const files = [file('generated/a.ts', `${written}export {};\n`)];
    await writeDifference(dir, await differenceOf(dir, files));
    assert.is(await readFile(join(dir, 'generated/a.ts'), 'utf8'), `${written}export {};\n`);
    assert.equal(await readdir(join(dir, 'generated')), ['a.ts']);
  }));

test('a watcher reads the disk once, and then writes what differs from its last write', () =>
  withSources({ 'generated/old.ts': written, 'generated/same.ts': written }, async (dir) => {
    const files = new WrittenFiles(dir);
    const first = [file('generated/new.ts'), file('generated/same.ts')];
    assert.equal(await files.update(first), {
      changed: [file('generated/new.ts')],
      vanished: ['generated/old.ts'],
    });
    const second = [file('generated/new.ts', `${written}export {};\n`)];
    assert.equal(await files.update(second), { changed: second, vanished: ['generated/same.ts'] });
    assert.equal(await readdir(join(dir, 'generated')), ['new.ts']);
    assert.is(await readFile(join(dir, 'generated/new.ts'), 'utf8'), second[0]?.text);
  }));

test('a watcher tolerates that an obsolete file is already removed, and restores missing files', () =>
  withSources({}, async (dir) => {
    const files = new WrittenFiles(dir);
    const [kept, gone] = [file('generated/kept.ts'), file('orders/generated/gone.ts')];
    await files.update([kept, gone]);
    await rm(join(dir, 'orders'), { recursive: true });
    await rm(join(dir, 'generated'), { recursive: true });
    assert.equal(await files.update([kept]), { changed: [kept], vanished: [gone.path] });
    assert.equal(await readdir(join(dir, 'generated')), ['kept.ts']);
  }));
