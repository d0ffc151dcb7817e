import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';

const test = suite('a test file without the runner');

const node = (script: string, ...args: readonly string[]) => {
  const file = fileURLToPath(new URL(script, import.meta.url));
  return spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' });
};

test('a test file that node runs alone fails, and says how its tests are run', () => {
  const { status, stdout, stderr } = node('fixtures/good.test.js');
  assert.equal(
    [status, stdout, stderr],
    [1, '', `No test of "good", "named" was run: use npm test -- followed by part of the file's path.\n`],
  );
});

for (const [fixture, counts, code] of [
  ['good', '2 passed, 0 failed', 0],
  ['after', '1 passed, 1 failed', 1],
  ['empty-suite', '1 passed, 1 failed', 1],
  ['no-test', '0 passed, 0 failed', 1],
] as const)
  test(`several files in one process end with their result: ${fixture}, ${code}`, () => {
    const file = fileURLToPath(new URL(`fixtures/${fixture}.test.js`, import.meta.url));
    const { status, stdout } = node('run-in-one-process.js', file);
    assert.equal([status, stdout.trim()], [code, counts]);
  });
