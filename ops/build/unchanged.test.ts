import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { type Extent, unlessUnchanged } from './unchanged.js';

const test = suite('what is unchanged');

test('package and examples are built again after a source has changed, not after a test has', () =>
  withFolder(async (root) => {
    const put = async (path: string, text: string): Promise<void> => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    };
    const build = (): Promise<boolean> => unlessUnchanged(root, 'built', () => Promise.resolve());
    await put('build/index.js', '');
    await put('dist/index.js', '');
    await put('contracts/message.ts', '1');
    await put('examples/orders/generated/registry.ts', '1');
    assert.ok(await build(), 'nothing was built yet');
    await put('contracts/message.test.ts', '1');
    await put('examples/orders/dist/main.js.json', '1');
    assert.not.ok(await build());
    await put('contracts/message.ts', '12');
    assert.ok(await build());
    await rm(join(root, 'examples/orders/generated'), { recursive: true });
    assert.ok(await build(), 'what was generated is missing');
    await rm(join(root, 'dist'), { recursive: true });
    assert.ok(await build(), 'the package is missing');
  }));

test('a build that fails is tried again', () =>
  withFolder(async (root) => {
    await mkdir(join(root, 'build'));
    await mkdir(join(root, 'dist'));
    const fails = (): Promise<void> => Promise.reject(new TypeError('it fails'));
    const failure = await unlessUnchanged(root, 'built', fails).catch((error: unknown) => error);
    assert.instance(failure, TypeError);
    assert.ok(await unlessUnchanged(root, 'built', () => Promise.resolve()));
  }));

test('one stamp names what is in dist/: a full build is enough for a start, a start is not enough for a build', () =>
  withFolder(async (root) => {
    await mkdir(join(root, 'build'));
    await mkdir(join(root, 'dist'));
    await mkdir(join(root, 'contracts'));
    const source = (text: string): Promise<void> => writeFile(join(root, 'contracts/message.ts'), text);
    const build = (extent: Extent): Promise<boolean> =>
      unlessUnchanged(root, extent, () => Promise.resolve());
    await source('1');
    assert.ok(await build('built'));
    assert.not.ok(await build('started'));
    await source('12');
    assert.ok(await build('started'));
    assert.ok(await build('built'));
    assert.not.ok(await build('built'));
  }));
