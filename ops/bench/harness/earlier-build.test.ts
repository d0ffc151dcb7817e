import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { temporaryFolder } from '../../../runtime/kit/temporary-folder.js';
import { buildCommit, moduleRootOf } from './earlier-build.js';

const test = suite('bench builds');

test('the modules of a commit are in build/, or in dist/ if it has no build/', async () => {
  const checkout = await temporaryFolder();
  await mkdir(join(checkout, 'dist'));
  assert.is(await moduleRootOf(checkout), `${pathToFileURL(checkout).href}/dist/`);
  await mkdir(join(checkout, 'build'));
  assert.is(await moduleRootOf(checkout), `${pathToFileURL(checkout).href}/build/`);
});

test('a commit that git does not know is refused by name', async () => {
  const error = await buildCommit('no-such-commit', () => undefined).catch((cause: unknown) => cause);
  assert.ok(error instanceof Problem && error.message.includes("no commit 'no-such-commit'"));
});
