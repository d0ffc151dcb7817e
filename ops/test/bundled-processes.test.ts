import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { bundleProcesses } from './bundled-processes.js';

const test = suite('bundled processes');

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

test('a bundle answers as the build does, finds its pages, and leaves nothing behind', async () => {
  const { root, remove } = await bundleProcesses(repository);
  try {
    const answers = [repository, root].map((folder) =>
      run(process.execPath, ['dist/ops/cli.js', 'check', '--help'], { cwd: folder }),
    );
    const [built, bundled] = await Promise.all(answers);
    assert.equal(bundled, built);
    await access(join(root, 'dist/ops/console/page/app.js'));
  } finally {
    await remove();
  }
  assert.is(await access(root).catch((error: NodeJS.ErrnoException) => error.code), 'ENOENT');
});
