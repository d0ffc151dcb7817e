import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { findTestFiles, isLive, timeoutFor, unmatched } from './find-test-files.js';

const test = suite('find-test-files');

const built = [
  'runtime/outbox.live.test.js',
  'contracts/uuid.js',
  'contracts/uuid.test.d.ts',
  'contracts/uuid.test.js',
  'contracts/uuid.test.js.map',
  'ops/test/fixtures/hang.test.js',
];

test('Finds compiled test files in order, but not the fixtures of the runner', () =>
  withFiles(async (root) => {
    assert.equal(await findTestFiles(root, []), ['contracts/uuid.test.js', 'runtime/outbox.live.test.js']);
  }));

test('Finds the fixtures of the runner when they are the root', () =>
  withFiles(async (root) => {
    assert.equal(await findTestFiles(join(root, 'ops/test/fixtures'), []), ['hang.test.js']);
  }));

test('Finds what contains one of the filters', () =>
  withFiles(async (root) => {
    assert.equal(await findTestFiles(root, ['outbox', 'inbox']), ['runtime/outbox.live.test.js']);
  }));

test('A filter may name the source', () =>
  withFiles(async (root) => {
    assert.equal(await findTestFiles(root, ['contracts/uuid.test.ts']), ['contracts/uuid.test.js']);
  }));

test('Names the filters that no file matches', () => {
  const files = ['contracts/uuid.test.js', 'runtime/outbox.live.test.js'];
  assert.equal(unmatched(['uuid.test.ts', 'nonsense', 'outbox'], files), ['nonsense']);
});

test('A live file is known by its name', () => {
  assert.ok(isLive('runtime/outbox.live.test.js'));
  assert.not(isLive('runtime/live.test.js'));
});

test('A long file is left out, unless everything or that file is asked for', () =>
  withFiles(async (root) => {
    await writeFile(join(root, 'runtime/soak.full.live.test.js'), '');
    const long = ['runtime/soak.full.live.test.js'];
    assert.not((await findTestFiles(root, [])).includes('runtime/soak.full.live.test.js'));
    assert.equal((await findTestFiles(root, [], true)).slice(-1), long);
    assert.equal(await findTestFiles(root, ['soak']), long);
  }));

test('A unit file has ten minutes, a live file thirty', () => {
  assert.is(timeoutFor('contracts/uuid.test.js', undefined), 600_000);
  assert.is(timeoutFor('runtime/outbox.live.test.js', undefined), 1_800_000);
});

test('The environment may set another time for all', () => {
  assert.is(timeoutFor('contracts/uuid.test.js', '500'), 500);
  assert.is(timeoutFor('runtime/outbox.live.test.js', '500'), 500);
});

async function withFiles(act: (root: string) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'svc-find-'));
  try {
    for (const file of built) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), '');
    }
    await act(root);
  } finally {
    await rm(root, { recursive: true });
  }
}
