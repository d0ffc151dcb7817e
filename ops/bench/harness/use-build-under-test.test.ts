import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { temporaryFolder } from '../../../runtime/kit/temporary-folder.js';
import { ourRoot } from './build-under-test.js';

const test = suite('bench build under test');

/** The exports of a module of ours, imported while a build is under test that has it, if anywhere, at another path. */
async function importing(path: string, theirs?: string, theirPath = path): Promise<string> {
  const folder = await temporaryFolder();
  if (theirs !== undefined) {
    await mkdir(dirname(join(folder, theirPath)), { recursive: true });
    await writeFile(join(folder, theirPath), theirs);
  }
  const script = `console.log(Object.keys(await import('${ourRoot}${path}')).join())`;
  const preloaded = new URL('use-build-under-test.js', import.meta.url).href;
  const args = [`--import=${preloaded}`, '--input-type=module', '-e', script];
  const env = { ...process.env, SVC_BENCH_BUILD: `${pathToFileURL(folder).href}/` };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout.trim();
}

test('a module is loaded from the build under test', async () => {
  assert.is(await importing('contracts/uuid.js', 'export const theirs = 1;'), 'theirs');
});

test('a module of the bench is always ours', async () => {
  assert.is(
    await importing('ops/bench/http/order.js', 'export const theirs = 1;'),
    'orderBody,orderCall,orderMutation',
  );
});

test('a test helper that the build does not have is ours', async () => {
  assert.is(await importing('runtime/kit/temporary-folder.js'), 'temporaryFolder,withFolder');
});

test('a module that was elsewhere is found by what it exports', async () => {
  const earlier = 'export const newUuid = () => 1, other = 2;';
  assert.is(await importing('contracts/uuid.js', earlier, 'runtime/ids.js'), 'newUuid');
});

test('any other module that the build does not have is named', async () => {
  const error = await importing('contracts/uuid.js').catch((cause: unknown) => cause);
  assert.match(String(error), 'There is no contracts/uuid.js.');
});
