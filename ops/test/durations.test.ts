import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { longestFirst, readDurations, rememberDurations } from './durations.js';

const test = suite('durations');

const at = (folder: string) => [{ folder, label: '' }];

test('The file that took longest comes first', () =>
  withFolder(async (root) => {
    const durations = new Map([
      ['a', 1],
      ['b', 3],
      ['c', 2],
    ]);
    assert.equal(await longestFirst(at(root), ['a', 'b', 'c'], durations), ['b', 'c', 'a']);
  }));

test('A file that never ran is judged by its size', () =>
  withFolder(async (root) => {
    await writeFile(join(root, 'short'), 'x');
    await writeFile(join(root, 'long'), 'x'.repeat(50));
    assert.equal(await longestFirst(at(root), ['known', 'short', 'long'], new Map([['known', 9]])), [
      'long',
      'known',
      'short',
    ]);
  }));

test('A short text about a long run, such as a simulation, is taken for a long one', () =>
  withFolder(async (root) => {
    const files = ['ops/host/a', 'ops/simulation/b'];
    for (const file of files) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), 'x');
    }
    assert.equal(await longestFirst(at(root), files, new Map()), files.toReversed());
  }));

test('What a run took is remembered beside what is known of other files', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'new/durations.json');
    assert.is((await readDurations(path)).size, 0);
    const result = { file: 'a', tests: 1, passed: 1, problems: [], left: [], output: '', ms: 12.4 };
    await rememberDurations(path, new Map([['b', 7]]), [result]);
    assert.equal(JSON.parse(await readFile(path, 'utf8')), { a: 12, b: 7 });
    assert.equal(
      [...(await readDurations(path))],
      [
        ['b', 7],
        ['a', 12],
      ],
    );
  }));
