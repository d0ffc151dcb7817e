import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFakeTimeouts } from '../testing/fake-timeouts.js';
import { LeaseLength } from './lease-length.js';

const test = suite('the length of a lease');

test('a store that answers soon gives the usual one', () => {
  const length = new LeaseLength(4_000);
  for (const ms of [1, 40, 900]) length.answeredIn(ms);
  assert.is(length.next(), 4_000);
});

test('it lasts for four answers of a slow store, and at most 20 seconds', () => {
  const length = new LeaseLength(4_000);
  length.answeredIn(2_500);
  assert.is(length.next(), 10_000);
  length.answeredIn(9_000);
  assert.is(length.next(), 20_000);
});

test('when the store is fast again it becomes the usual one, and never ends before an earlier one', () =>
  withFakeTimeouts(async (clock) => {
    const length = new LeaseLength(4_000);
    length.answeredIn(3_000);
    let end = performance.now() + length.next();
    assert.is(end - performance.now(), 12_000);
    for (let turn = 0; turn < 6; turn++) {
      clock.advance(1_800);
      length.answeredIn(2);
      const next = performance.now() + length.next();
      assert.ok(next >= end);
      end = next;
    }
    assert.is(length.ms, 4_000);
  }));
