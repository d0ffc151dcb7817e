import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { RecentRate } from './progress-rate.js';

const test = suite('progress rate');

test('it shows the rate per second and the remaining time', () => {
  const rate = new RecentRate();
  rate.text(0, 200_000, 0);
  assert.is(rate.text(50_000, 200_000, 1_000), '50,000/s, 3 s left');
  const slow = new RecentRate();
  slow.text(0, 91_000, 0);
  assert.is(slow.text(1_000, 91_000, 1_000), '1,000/s, 1 min 30 s left');
});

test('it shows nothing before it has a measurement, and while nothing is done', () => {
  const rate = new RecentRate();
  assert.is(rate.text(5, 10, 5_000), '');
  assert.is(rate.text(6, 10, 5_100), '');
  assert.is(rate.text(5, 10, 6_000), '');
});

test('a slow start does not lengthen the time that is left', () => {
  const rate = new RecentRate();
  for (let at = 0; at <= 60_000; at += 1_000) rate.text(0, 20_000, at);
  for (let at = 61_000; at < 71_000; at += 1_000) rate.text(at - 60_000, 20_000, at);
  assert.is(rate.text(11_000, 20_000, 71_000), '1,000/s, 9 s left');
});

test('what begins again starts a new measurement, and what still runs has time left', () => {
  const rate = new RecentRate();
  rate.text(900, 1_000, 0);
  rate.text(0, 1_000, 1_000);
  assert.is(rate.text(100, 1_000, 2_000), '100/s, 9 s left');
  assert.is(rate.text(1_000, 1_000, 3_000), '500/s, 1 s left');
});
