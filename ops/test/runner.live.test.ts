import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { runRunner } from './spawned-runner.js';

const test = suite('runner.live');

test('A live file runs beside the unit files and knows where its PostgreSQL is', async () => {
  const { code, output } = await runRunner(['database.live.test.js', 'good.test.js']);
  for (const file of ['good', 'database.live']) assert.match(output, `✓ ${file}.test.js`);
  assert.match(output, /\n3 passed, 0 failed\n$/);
  assert.is(code, 0);
});

test('A live file that fails fails the run, and is not tried again', () =>
  withFolder(async (folder) => {
    const { code, output } = await runRunner(['second-time'], { SVC_TEST_MEMORY: folder });
    assert.match(output, /^✗ second-time\.live\.test\.js[^]*\nFailed:\n {2}second-time\.live\.test\.js\n/);
    assert.match(output, /\n0 passed, 1 failed\n$/);
    assert.is(code, 1);
  }));
