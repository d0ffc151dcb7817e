import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { npmEnvironment } from '../../runtime/testing/npm-environment.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { writeFiles } from '../testing/packed-package.js';
import { filesBelow } from './files.js';
import { removeFormer } from './former-chunks.js';

const test = suite('chunks of a former build');

/** Writes these scripts as a build of the package, and returns what is there then. */
async function build(root: string, ...scripts: readonly string[]): Promise<readonly string[]> {
  const dist = join(root, 'dist');
  await writeFiles(dist, Object.fromEntries(scripts.map((name) => [name, ''])));
  await removeFormer(dist, new Set(scripts.map((name) => join(dist, name))));
  return (await filesBelow(dist)).filter((name) => !name.endsWith('.npmignore')).toSorted();
}

test('a running host still finds its chunks after a build, until a later build replaces chunks again', () =>
  withFolder(async (root) => {
    await build(root, 'chunks/a-1.js', 'chunks/b-1.js', 'index.js');
    const second = ['chunks/a-1.js', 'chunks/b-1.js', 'chunks/b-2.js', 'index.js'];
    assert.equal(await build(root, 'chunks/a-1.js', 'chunks/b-2.js', 'index.js'), second);
    assert.equal(await build(root, 'chunks/a-1.js', 'chunks/b-2.js', 'index.js'), second, 'nothing changed');
    assert.equal(await build(root, 'chunks/a-1.js', 'chunks/b-3.js', 'index.js'), [
      'chunks/a-1.js',
      'chunks/b-2.js',
      'chunks/b-3.js',
      'index.js',
    ]);
  }));

test('a chunk that a build makes again is part of it', () =>
  withFolder(async (root) => {
    await build(root, 'chunks/a-1.js');
    await build(root, 'chunks/a-2.js');
    assert.equal(await build(root, 'chunks/a-1.js'), ['chunks/a-1.js', 'chunks/a-2.js']);
    assert.equal(await build(root, 'chunks/a-3.js'), ['chunks/a-1.js', 'chunks/a-3.js']);
  }));

test('an entry point or another file that no build writes any longer is removed at once', () =>
  withFolder(async (root) => {
    await build(root, 'chunks/a-1.js', 'index.js', 'old.js', 'old.js.map', 'old.txt');
    const others = ['docs.txt.br', 'index.d.ts', 'ops/console/page/index.html'];
    await writeFiles(join(root, 'dist'), Object.fromEntries(others.map((name) => [name, ''])));
    const all = ['chunks/a-1.js', 'index.js', ...others].toSorted();
    assert.equal(await build(root, 'chunks/a-1.js', 'index.js'), all);
  }));

test('npm does not pack chunks of a former build', () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      'package.json': JSON.stringify({ name: 'packed', version: '1.0.0', files: ['dist'] }),
    });
    await build(root, 'chunks/a-1.js', 'chunks/a-1.js.map');
    await build(root, 'chunks/a-2.js', 'chunks/a-2.js.map');
    const packed = execFileSync('npm', ['pack', '--json', '--dry-run'], {
      cwd: root,
      env: npmEnvironment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [{ files } = { files: [] }] = JSON.parse(packed) as { files: { path: string }[] }[];
    assert.equal(files.map(({ path }) => path).toSorted(), [
      'dist/chunks/a-2.js',
      'dist/chunks/a-2.js.map',
      'package.json',
    ]);
  }));
