import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { runRunner } from './spawned-runner.js';

const test = suite('what the runner chooses');

test('--list names the files instead of running them', async () => {
  const { code, output } = await runRunner(['--list', 'before', 'good']);
  assert.is(output, 'before-each.test.js\nbefore.test.js\ngood.test.js\n');
  assert.is(code, 0);
});

test('Without a pattern the files of npm test run, and the live files left out are counted', () =>
  withFolder(async (directory) => {
    await writeFile(join(directory, 'a.live.test.js'), '');
    await writeFile(
      join(directory, 'b.test.js'),
      "import { test } from 'node:test';\ntest('holds', () => {});",
    );
    const { code, output } = await runRunner(['--root', directory]);
    assert.match(
      output,
      /^✓ b\.test\.js .*\n\n1 live files were left out: npm run test:all runs them too\.\n1 passed, 0 failed\n$/,
    );
    assert.is(code, 0);
    const listed = async (...args: readonly string[]): Promise<string> =>
      (await runRunner(['--root', directory, '--list', ...args])).output;
    assert.is(await listed(), 'b.test.js\n');
    assert.is(await listed('--rest'), 'a.live.test.js\n');
    assert.is(await listed('--all'), 'a.live.test.js\nb.test.js\n');
    assert.is(await listed('--all', '--shard', '2/2'), 'b.test.js\n');
    assert.is(await listed('live'), 'a.live.test.js\n');
  }));

test('A full run says so to the tests', () =>
  withFolder(async (directory) => {
    const text =
      "import { test } from 'node:test';\ntest(process.env.SVC_TEST_FULL ?? 'no', (t) => t.skip());";
    await writeFile(join(directory, 'a.full.test.js'), text);
    const { output } = await runRunner(['--root', directory, '--full']);
    assert.match(output, 'skipped tests are not allowed: "1"');
  }));

test('A shard or a commit that does not exist is named, and nothing is run', async () => {
  const [shard, commit] = await Promise.all([
    runRunner(['--all', '--shard', '5/4']),
    runRunner(['--changed', 'nonsense']),
  ]);
  assert.match(shard.output, /^--shard takes a part of all such as 1\/4, not '5\/4'\.\n/);
  assert.match(commit.output, /^git knows no commit 'nonsense'\.\n/);
  assert.equal([shard.code, commit.code], [1, 1]);
});

test('A pattern that no file matches is named, and nothing is run', async () => {
  const { code, output } = await runRunner(['good', 'there is no such']);
  assert.match(output, /^No test file has 'there is no such' in its path\.\n[^]*\n0 passed, 0 failed\n$/);
  assert.is(code, 1);
});

test('A run without any test is a failure', () =>
  withFolder(async (directory) => {
    const { code, output } = await runRunner(['--root', directory]);
    assert.is(output, 'No test file was run.\n\n0 passed, 0 failed\n');
    assert.is(code, 1);
  }));
