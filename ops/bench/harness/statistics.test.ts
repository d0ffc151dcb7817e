import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { pairedRatios, quantile, spreadOf } from './statistics.js';

const test = suite('bench statistics');

test('the median of an even number of rounds lies between the middle two', () => {
  assert.is(quantile([4, 1, 3, 2], 0.5), 2.5);
});

test('one round is its own median and its own spread', () => {
  assert.equal(spreadOf([7]), { median: 7, p25: 7, p75: 7 });
});

test('quantiles use numeric order, whatever the order of the rounds', () => {
  assert.equal(spreadOf([100, 9, 80, 10, 90]), { median: 80, p25: 10, p75: 90 });
});

test('no rounds have no median', () => {
  assert.ok(Number.isNaN(quantile([], 0.5)));
});

test('a round is only ever compared with itself, so a slow round changes no ratio', () => {
  assert.equal(pairedRatios([30, 3, 30], [10, 1, 10]), [3, 3, 3]);
});

test('a round that one side did not finish is left out', () => {
  assert.equal(pairedRatios([30, 40, 50], [10, 20]), [3, 2]);
  assert.equal(pairedRatios([30, 40], [10, 0]), [3]);
});
