import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { retryDelayMs } from './retry-delay.js';

const test = suite('retry delay');

test('the bound of a delay doubles with every failure up to the maximum', () => {
  const bounds = [1, 2, 3, 4, 5, 60].map((failures) => retryDelayMs(failures, 1, 200, 2_000));
  assert.equal(bounds, [200, 400, 800, 1_600, 2_000, 2_000]);
});

test('a delay is anything from 0 to its bound', () => {
  assert.equal(
    [0, 0.25, 0.5].map((random) => retryDelayMs(2, random, 200, 2_000)),
    [0, 100, 200],
  );
});
