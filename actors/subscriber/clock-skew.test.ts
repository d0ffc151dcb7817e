import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { ClockSkew } from './clock-skew.js';

const test = suite('clock skew');

const start = Date.parse('2026-03-01T09:00:00Z');
const at = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();

test('the store that is furthest ahead is remembered for ten minutes, and one that is behind never', () => {
  let now = start;
  const clocks = new ClockSkew(() => now);
  clocks.note('a', at(-60));
  assert.is(clocks.furthest, undefined);
  clocks.note('b', at(60));
  clocks.note('c', at(2));
  assert.equal(clocks.furthest, { store: 'b', seconds: 3_600 });
  now += 11 * 60_000;
  assert.is(clocks.furthest, undefined);
  clocks.note('c', at(13));
  assert.equal(clocks.furthest, { store: 'c', seconds: 120 });
});
