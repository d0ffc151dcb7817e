import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { showProgress } from './progress.js';
import type { FileResult } from './report.js';

const test = suite('progress');

const good: FileResult = {
  file: 'a.test.js',
  tests: 2,
  passed: 2,
  problems: [],
  left: [],
  output: '',
  ms: 5,
};
const bad: FileResult = { ...good, file: 'b.test.js', passed: 1, problems: ['took longer'] };

test('Away from a terminal every file takes a line', () => {
  const { screen, written } = recording({});
  const progress = showProgress(screen, 2);
  progress.finished(good);
  progress.end();
  assert.is(written(), '✓ a.test.js  2 tests  5 ms\n');
});

test('On a terminal one line says how far the run is, and failures are printed above it', () => {
  const { screen, written } = recording({ isTTY: true, columns: 80 });
  let ms = 0;
  const progress = showProgress(screen, 9, () => ms);
  ms = 61_000;
  progress.finished(good);
  progress.finished(bad);
  progress.end();
  assert.equal(written().split('\r\u001b[K'), [
    '',
    '1 of 9, 0 failed, 1:01  a.test.js',
    '✗ b.test.js  1 of 2 tests passed  5 ms\n  ✗ took longer\n2 of 9, 1 failed, 1:01  b.test.js',
    '',
  ]);
});

test('The line is never wider than the terminal, or it could not be rewritten', () => {
  const { screen, written } = recording({ isTTY: true, columns: 12 });
  showProgress(screen, 9, () => 0).finished(good);
  assert.is(written(), '\r\u001b[K1 of 9, 0 f');
});

function recording(kind: { readonly isTTY?: boolean; readonly columns?: number }) {
  const texts: string[] = [];
  return { screen: { ...kind, write: (text: string) => texts.push(text) }, written: () => texts.join('') };
}
