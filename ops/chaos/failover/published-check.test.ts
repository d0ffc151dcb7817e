import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { checkPublished, longestStall, publishedLate } from './published-check.js';

const test = suite('published check');
const messages = (...ids: string[]) => ids.map((id, index) => ({ sequence: index + 1, id, at: index * 100 }));

test('a store and a broker that hold the same have no findings', () => {
  const none = { unpublished: 0, publishedTwice: 0, ghosts: 0 };
  assert.equal(checkPublished(['a', 'b'], messages('b', 'a')), none);
});

test('an event without a message, a message stored twice and a message without an event are counted apart', () => {
  const findings = checkPublished(['a', 'b', 'c'], messages('a', 'a', 'x', 'b'));
  assert.equal(findings, { unpublished: 1, publishedTwice: 1, ghosts: 1 });
});

test('a message that is published again after the broker has forgotten it is left to receivers', () => {
  const twiceAfter = (ms: number) => [
    { sequence: 1, id: 'a', at: 0 },
    { sequence: 2, id: 'a', at: ms },
  ];
  const found = [119_999, 120_000].map((ms) => [
    checkPublished(['a'], twiceAfter(ms)).publishedTwice,
    publishedLate(twiceAfter(ms)),
  ]);
  assert.equal(found, [
    [1, 0],
    [0, 1],
  ]);
});

test('an event that was stored later may have been published, or not', () => {
  const none = { unpublished: 0, publishedTwice: 0, ghosts: 0 };
  assert.equal(checkPublished(['a'], messages('a', 'b'), ['b', 'c']), none);
});

test('the longest stall is that between two messages since the given moment', () => {
  const times = [0, 5_000, 5_100, 5_900, 6_000].map((at, index) => ({
    sequence: index,
    id: String(index),
    at,
  }));
  assert.is(longestStall(times, 1_000), 800);
  assert.is(longestStall(times, 0), 5_000);
  assert.is(longestStall([], 0), 0);
});
