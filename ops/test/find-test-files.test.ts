import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { findTestFiles, isLive, isLong, timeoutFor, unmatched } from './find-test-files.js';
import { pathOf } from './roots.js';

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
    assert.equal(await findTestFiles(at(root)), ['contracts/uuid.test.js', 'runtime/outbox.live.test.js']);
  }));

test('Finds the fixtures of the runner when they are the root', () =>
  withFiles(async (root) => {
    assert.equal(await findTestFiles(at(join(root, 'ops/test/fixtures'))), ['hang.test.js']);
  }));

test('Finds what contains one of the filters', () =>
  withFiles(async (root) => {
    assert.equal(await findTestFiles(at(root), ['outbox', 'inbox']), ['runtime/outbox.live.test.js']);
  }));

test('A filter may name the source', () =>
  withFiles(async (root) => {
    assert.equal(await findTestFiles(at(root), ['contracts/uuid.test.ts']), ['contracts/uuid.test.js']);
  }));

test('Names the filters that no file matches', () => {
  const files = ['contracts/uuid.test.js', 'runtime/outbox.live.test.js'];
  assert.equal(unmatched(['uuid.test.ts', 'nonsense', 'outbox'], files), ['nonsense']);
});

test('A live file is known by its name', () => {
  assert.ok(isLive('runtime/outbox.live.test.js'));
  assert.not(isLive('runtime/live.test.js'));
});

test('A long file is known by its name', () => {
  assert.ok(isLong('runtime/soak.full.live.test.js'));
  assert.ok(isLong('runtime/soak.full.test.js'));
  assert.not(isLong('runtime/full.live.test.js'));
});

test('A root with a label is a place in the repository, and its files are found there', () =>
  withFiles(async (root) => {
    const roots = [
      { folder: join(root, 'contracts'), label: '' },
      { folder: join(root, 'runtime'), label: 'examples/orders/' },
    ];
    const files = ['examples/orders/outbox.live.test.js', 'uuid.test.js'];
    assert.equal(await findTestFiles(roots), files);
    assert.equal(
      files.map((file) => pathOf(roots, file)),
      [join(root, 'runtime/outbox.live.test.js'), join(root, 'contracts/uuid.test.js')],
    );
  }));

test('A unit file has ten minutes, a live file thirty', () => {
  assert.is(timeoutFor('contracts/uuid.test.js', undefined), 600_000);
  assert.is(timeoutFor('runtime/outbox.live.test.js', undefined), 1_800_000);
});

test('The environment may set another time for all', () => {
  assert.is(timeoutFor('contracts/uuid.test.js', '500'), 500);
  assert.is(timeoutFor('runtime/outbox.live.test.js', '500'), 500);
});

const at = (folder: string) => [{ folder, label: '' }];

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
