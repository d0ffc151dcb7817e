import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { runRunner } from './spawned-runner.js';

const test = suite('runner');

interface RedCase {
  readonly sentence: string;
  readonly fixture: string;
  readonly closingLine: string;
  readonly says: readonly (string | RegExp)[];
  readonly env?: NodeJS.ProcessEnv;
}

const red: readonly RedCase[] = [
  {
    sentence: 'A failing assertion is shown with its name, its difference and its place in the source',
    fixture: 'assertion',
    closingLine: '1 passed, 1 failed',
    says: ['✗ assertion: compares  ', '--··"total":·1', 'assertion.test.ts:7'],
  },
  {
    sentence: 'A failing before hook fails the tests it kept from running, and its error is shown',
    fixture: 'before',
    closingLine: '0 passed, 1 failed',
    says: ['✗ before: is not run, before  ', 'RangeError: no database', 'before.test.ts:5'],
  },
  {
    sentence: 'A failing before.each hook fails its test',
    fixture: 'before-each',
    closingLine: '0 passed, 1 failed',
    says: ['✗ before-each: is not run, before.each  ', 'no table', 'before-each.test.ts:5'],
  },
  {
    sentence: 'A failing after hook fails the file although every test passed',
    fixture: 'after',
    closingLine: '1 passed, 1 failed',
    says: ['✗ orders: after, after  ', 'RangeError: still connected', 'after.test.ts:4'],
  },
  {
    sentence: 'A failing after.each hook neither hides the failure of a test nor ends the suite',
    fixture: 'after-each',
    closingLine: '0 passed, 2 failed',
    says: [
      '✗ after-each: breaks  ',
      '✗ after-each: breaks, after.each  ',
      '✗ after-each: holds, after.each  ',
    ],
  },
  {
    sentence: 'A file without a test fails',
    fixture: 'no-test',
    closingLine: '0 passed, 1 failed',
    says: ['✗ has no test'],
  },
  {
    sentence: 'A suite without a test fails although another suite of the file has one',
    fixture: 'empty-suite',
    closingLine: '1 passed, 1 failed',
    says: ['✗ empty: has no test'],
  },
  {
    sentence: 'A suite that is made while tests run, and so is not run, fails',
    fixture: 'late-suite',
    closingLine: '1 passed, 1 failed',
    says: ['✗ the suite "late" was made too late to be run'],
  },
  {
    sentence: 'An unhandled rejection fails',
    fixture: 'unhandled-rejection',
    closingLine: '1 passed, 1 failed',
    says: ['✗ unhandled rejection: nobody waits', 'unhandled-rejection.test.ts:6'],
  },
  {
    sentence: 'An exception shortly after the last test fails',
    fixture: 'late-exception',
    closingLine: '1 passed, 1 failed',
    says: ['✗ uncaught exception: too late', 'late-exception.test.ts:7'],
  },
  {
    sentence: 'A test that takes too long fails',
    fixture: 'hang',
    closingLine: '0 passed, 1 failed',
    says: ['✗ took longer than 1000 ms before its tests had finished'],
    env: { SVC_TEST_TIMEOUT_MS: '1000' },
  },
  {
    sentence: 'A test that takes too long without ever giving way fails',
    fixture: 'busy-loop',
    closingLine: '0 passed, 1 failed',
    says: ['✗ took longer than 1000 ms before its tests had finished'],
    env: { SVC_TEST_TIMEOUT_MS: '1000' },
  },
  {
    sentence: 'A test that awaits what can never happen fails',
    fixture: 'nothing-to-wait-for',
    closingLine: '0 passed, 1 failed',
    says: ['what it awaits can never happen', 'in or after "waits for nothing"'],
  },
  {
    sentence: 'A test that exits the process with code 0 fails',
    fixture: 'early-exit',
    closingLine: '0 passed, 1 failed',
    says: ['✗ exited with code 0 before its tests had finished, in or after "leaves"'],
  },
  {
    sentence: 'A process that ends badly fails although every test passed',
    fixture: 'exit-code',
    closingLine: '1 passed, 1 failed',
    says: ['✗ exited with code 3 after its tests had finished'],
  },
  {
    sentence: 'A killed process fails',
    fixture: 'killed',
    closingLine: '0 passed, 1 failed',
    says: ['✗ was killed by SIGKILL before its tests had finished, in or after "falls"'],
  },
  {
    sentence: 'A file that throws while loading fails although its tests passed',
    fixture: 'load-error',
    closingLine: '1 passed, 1 failed',
    says: ['✗ could not be loaded: not today'],
  },
  {
    sentence: 'A test that throws something other than an Error fails',
    fixture: 'not-an-error',
    closingLine: '0 passed, 1 failed',
    says: ['✗ not-an-error: throws a word  ', "'word'"],
  },
  {
    sentence: 'A test that changes the environment for the files after it fails',
    fixture: 'changed-env',
    closingLine: '1 passed, 1 failed',
    says: ['✗ has changed process.env.FIXTURE_SETTING'],
  },
  {
    sentence: 'A test that leaves the process an exit code fails',
    fixture: 'exit-code-left',
    closingLine: '1 passed, 1 failed',
    says: ['✗ has changed process.exitCode'],
  },
  {
    sentence: 'An exception after the file was reported fails',
    fixture: 'late-report',
    closingLine: '1 passed, 1 failed',
    says: ['✗ uncaught exception: later still after its tests had finished'],
  },
  {
    sentence: 'A file that spoils what its worker reports fails, and the runner goes on',
    fixture: 'broken-message',
    closingLine: '0 passed, 1 failed',
    says: ['✗ was killed by SIGKILL before its tests had finished'],
  },
  {
    sentence:
      'A failing test of node:test is shown with its name, its difference and its place in the source',
    fixture: 'node-test-fails',
    closingLine: '1 passed, 1 failed',
    says: ['✗ compares  ', '-   total: 2', 'node-test-fails.test.ts:5'],
  },
  {
    sentence: 'A skipped test of node:test fails',
    fixture: 'node-test-skip',
    closingLine: '2 passed, 1 failed',
    says: ['✗ skipped tests are not allowed: "is left out"'],
  },
  {
    sentence: 'A file of node:test that exits the process with code 0 fails',
    fixture: 'node-test-leaves',
    closingLine: '0 passed, 1 failed',
    says: ['✗ ended with code 0 before its tests had finished'],
  },
  {
    sentence: 'A file of node:test without a test fails',
    fixture: 'node-test-empty',
    closingLine: '0 passed, 1 failed',
    says: ['✗ ended with code 0 before its tests had finished'],
  },
  {
    sentence: 'An unhandled rejection in a test of node:test fails',
    fixture: 'node-test-late',
    closingLine: '1 passed, 1 failed',
    says: ['"RangeError: nobody waits"', 'node-test-late.test.ts:3'],
  },
];

for (const { sentence, fixture, closingLine, says, env } of red) {
  test(sentence, async () => {
    const outcome = await runRunner([`${fixture}.test.js`], env);
    for (const words of says) assert.match(outcome.output, words);
    assert.match(outcome.output, `\nFailed:\n  ${fixture}.test.js\n`);
    assert.is(outcome.closingLine, closingLine);
    assert.is(outcome.code, 1);
  });
}

test('A good file takes one line', async () => {
  const { code, output } = await runRunner(['good.test.js']);
  assert.match(output, /^✓ good\.test\.js {2}2 tests {2}\d+ ms\n\n2 passed, 0 failed\n$/);
  assert.is(code, 0);
});

test('A file of node:test takes one line too', async () => {
  const { code, output } = await runRunner(['node-test.test.js']);
  assert.match(output, /^✓ node-test\.test\.js {2}2 tests {2}\d+ ms\n\n2 passed, 0 failed\n$/);
  assert.is(code, 0);
});

test('A failing file does not keep the others from running', async () => {
  const { code, closingLine } = await runRunner(['assertion.test.js', 'good.test.js', 'early-exit.test.js']);
  assert.is(closingLine, '3 passed, 2 failed');
  assert.is(code, 1);
});

test('An open server and an open timer do not hold up the end, but are named', async () => {
  const { code, output, closingLine } = await runRunner(['open-handle.test.js']);
  assert.match(
    output,
    '\nLeft open, so that a new process went on:\n  open-handle.test.js  TCPServerWrap, Timeout\n',
  );
  assert.is(closingLine, '1 passed, 0 failed');
  assert.is(code, 0);
});
