import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { progressBar } from './progress-bar.js';

const test = suite('progress bar');

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { written, output: { isTTY, write: (text: string) => written.push(text) } };
}

test('on a terminal it shows the progress, and leaves a clean line', () => {
  const { written, output } = terminal(true);
  const bar = progressBar(output, 'verifying');
  bar.show(0, 10);
  bar.show(5, 10);
  bar.show(20, 10);
  bar.clear();
  assert.match(written[0] ?? '', /^\rverifying ░{30} 0 %$/);
  assert.match(written[1] ?? '', /^\rverifying █{15}░{15} 50 %$/);
  assert.match(written[2] ?? '', /^\rverifying █{30} 100 %$/);
  assert.is(written[3], '\r\x1b[2K');
});

test('an unchanged line is not written again, and zero of zero is complete', () => {
  const { written, output } = terminal(true);
  const bar = progressBar(output, 'verifying');
  bar.show(0, 0);
  bar.show(0, 0);
  assert.equal(written.length, 1);
  assert.match(written[0] ?? '', /100 %/);
});

test('without a terminal nothing is written', () => {
  const { written, output } = terminal(false);
  const bar = progressBar(output, 'verifying');
  bar.show(5, 10);
  bar.clear();
  assert.equal(written, []);
});
