import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Histogram } from './histogram.js';

const test = suite('histogram');

test('a value is counted for every bound that it does not exceed', () => {
  const histogram = new Histogram([1, 5, 10]);
  for (const value of [0, 1, 2, 10, 11]) histogram.observe(value);
  assert.equal(histogram.read(), {
    below: [
      [1, 2],
      [5, 3],
      [10, 4],
    ],
    count: 5,
    sum: 24,
  });
});

test('without values everything is zero', () => {
  assert.equal(new Histogram([1]).read(), { below: [[1, 0]], count: 0, sum: 0 });
});
