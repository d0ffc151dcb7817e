import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withFolder } from '../runtime/testing/temporary-folder.js';

const test = suite('build stamp');

const program = fileURLToPath(new URL('unchanged-since-build.js', import.meta.url));

const run = (...args: readonly string[]): Promise<number> =>
  new Promise((resolve) => {
    execFile(process.execPath, [program, ...args]).once('exit', (code) => resolve(code ?? -1));
  });

test('pages and examples are built again after a source has changed, not after a test has', () =>
  withFolder(async (root) => {
    const put = async (path: string, text: string): Promise<void> => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    };
    await put('dist/index.js', '');
    await put('contracts/message.ts', '1');
    await put('examples/orders/generated/registry.ts', '1');
    assert.is(await run(root), 1, 'nothing was built yet');
    await run(root, '--write');
    await put('contracts/message.test.ts', '1');
    assert.is(await run(root), 0);
    await put('contracts/message.ts', '12');
    assert.is(await run(root), 1);
    await run(root, '--write');
    await rm(join(root, 'examples/orders/generated'), { recursive: true });
    assert.is(await run(root), 1, 'what was generated is missing');
  }));

test.run();
