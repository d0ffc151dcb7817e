import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { rateText } from './progress-rate.js';

const test = suite('progress rate');

test('it shows the rate per second and the remaining time', () => {
  assert.is(rateText(50_000, 200_000, 1_000), '50,000/s, 3 s left');
  assert.is(rateText(1_000, 91_000, 1_000), '1,000/s, 1 min 30 s left');
});

test('it shows nothing before it has a measurement', () => {
  assert.is(rateText(0, 10, 5_000), '');
  assert.is(rateText(5, 10, 100), '');
});
