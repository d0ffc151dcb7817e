import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { exists } from '../database/embedded/operating-system.js';
import { withFolder } from './temporary-folder.js';

const test = suite('temporary folder');

test('a temporary folder can be traversed by other accounts and is removed afterwards, even after a failure', async () => {
  let lent = '';
  const failing = withFolder(async (folder) => {
    lent = folder;
    await writeFile(join(folder, 'note'), 'here');
    assert.is((await stat(folder)).mode & 0o777, 0o755);
    throw new TypeError('broken');
  });
  assert.instance(await failing.catch((error: unknown) => error), TypeError);
  assert.not(await exists(lent));
});
