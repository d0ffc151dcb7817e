import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { zipf } from './zipf.js';

const test = suite('bench zipf');

/** How often each of three is drawn by 1,100 numbers that lie evenly between 0 and 1. */
function drawnBy(exponent: number): readonly number[] {
  let at = 0;
  const draw = zipf(3, exponent, () => (at++ + 0.5) / 1100);
  const counts = [0, 0, 0];
  for (let n = 0; n < 1100; n++) {
    const drawn = draw();
    counts[drawn] = (counts[drawn] ?? 0) + 1;
  }
  return counts;
}

test('with an exponent of 1 the second is drawn half as often as the first, the third a third as often', () => {
  assert.equal(drawnBy(1), [600, 300, 200]);
});

test('with an exponent of 0 all are drawn equally often', () => {
  assert.equal(drawnBy(0), [367, 366, 367]);
});

test('the ends of the range are drawn, and nothing beyond them', () => {
  assert.is(zipf(3, 1.5, () => 0)(), 0);
  assert.is(zipf(3, 1.5, () => 1 - Number.EPSILON)(), 2);
});
