import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { combinePast, type PastCounts } from './recent-counts.js';

const test = suite('recent counts');

const past = (agoMs: number, requests: number): PastCounts => ({
  agoMs,
  requests,
  failed: 0,
  crashed: 0,
  rejected: 0,
  replayed: 0,
});

const shown = (hosts: readonly (readonly PastCounts[])[]) =>
  combinePast(hosts).map(({ agoMs, requests }) => [agoMs, requests]);

test('the counts of hosts are added second by second, whatever the phase of their clocks', () => {
  const one = [past(2_100, 5), past(1_100, 7), past(100, 9)];
  const other = [past(1_900, 10), past(900, 10), past(10, 11)];
  assert.equal(shown([one, other]), [
    [2_000, 15],
    [1_000, 17],
    [0, 20],
  ]);
});

test('a host that started later adds its first count to earlier ones: that is no rate', () => {
  assert.equal(shown([[past(2_000, 5), past(1_000, 6), past(0, 7)], [past(0, 40)]]), [
    [2_000, 45],
    [1_000, 46],
    [0, 47],
  ]);
});

test('a second that a stalled host missed repeats the one before', () => {
  assert.equal(shown([[past(3_000, 1), past(0, 9)]]), [
    [3_000, 1],
    [2_000, 1],
    [1_000, 1],
    [0, 9],
  ]);
});

test('without counts there are none', () => {
  assert.equal(shown([]), []);
  assert.equal(shown([[], []]), []);
});
