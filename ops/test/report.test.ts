import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { fileLines, isGreen, summaryLines, failedResult } from './report.js';
import type { FileResult } from './report.js';

const test = suite('report');

const good: FileResult = {
  file: 'a.test.js',
  tests: 3,
  passed: 3,
  problems: [],
  left: [],
  output: 'noise\n',
  ms: 12.3,
};
const bad: FileResult = {
  ...good,
  file: 'b.test.js',
  passed: 1,
  problems: ['took longer'],
  output: 'why\n\nso\n',
};

test('A file that passed takes one line, and its output is not shown', () => {
  assert.equal(fileLines(good), ['✓ a.test.js  3 tests  12 ms']);
});

test('A file that failed shows its problems and all it printed', () => {
  assert.equal(fileLines(bad), [
    '✗ b.test.js  1 of 3 tests passed  12 ms',
    '  ✗ took longer',
    '    why',
    '',
    '    so',
  ]);
});

test('Tests that did not pass and problems are both failures', () => {
  assert.is(summaryLines([good, bad]).at(-1), '4 passed, 3 failed');
});

test('The end of a run of several files says again how one of them failed, in at most 40 lines', () => {
  assert.equal(summaryLines([bad]), ['', 'Failed:', '  b.test.js', '', '1 passed, 3 failed']);
  assert.equal(summaryLines([good, bad]), [
    '',
    'Failed:',
    '  b.test.js',
    '    ✗ took longer',
    '      why',
    '',
    '      so',
    '',
    '4 passed, 3 failed',
  ]);
  const long = summaryLines([good, { ...bad, output: 'line\n'.repeat(100) }]);
  assert.is(long.length, 46);
  assert.is(long.at(-3), '      (61 more lines above)');
});

test('When nothing failed, only the closing line reports it', () => {
  assert.equal(summaryLines([good]), ['', '3 passed, 0 failed']);
});

test('A file that left something open is named, which is not a failure', () => {
  const untidy = { ...good, left: ['Timeout', 'Timeout', 'TCPServerWrap'] };
  assert.equal(summaryLines([untidy]), [
    '',
    'Left open, so that a new process went on:',
    '  a.test.js  Timeout, TCPServerWrap',
    '',
    '3 passed, 0 failed',
  ]);
});

test('Files over 20 s are named, the slowest first, and fail a run in which that counts', () => {
  const slow = { ...good, file: 'slow.test.js', ms: 20_600 };
  const slower = { ...good, file: 'slower.test.js', ms: 31_000 };
  assert.equal(summaryLines([good, slow, slower]), [
    '',
    'Over 20 s:',
    '  slower.test.js  31 s',
    '  slow.test.js  21 s',
    '',
    '9 passed, 0 failed',
  ]);
  assert.ok(isGreen([good, slow]));
  assert.ok(isGreen([good], true));
  assert.not(isGreen([good, slow], true));
});

test('What else is to say stands before the closing line', () => {
  assert.equal(summaryLines([good], ['7 live files were left out.']), [
    '',
    '7 live files were left out.',
    '3 passed, 0 failed',
  ]);
});

test('A run without files reports that', () => {
  assert.equal(summaryLines([]), ['No test file was run.', '', '0 passed, 0 failed']);
});

test('A failure outside of the files fails the run', () => {
  const result = failedResult('PostgreSQL', 'did not start');
  assert.equal(summaryLines([result]).at(-1), '0 passed, 1 failed');
});

test('Only passed tests without any failure are green', () => {
  assert.ok(isGreen([good]));
  assert.not(isGreen([good, bad]));
  assert.not(isGreen([good, failedResult('PostgreSQL', 'did not start')]));
  assert.not(isGreen([]));
});
