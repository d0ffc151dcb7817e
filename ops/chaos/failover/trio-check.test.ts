import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { violationsIn } from './trio-check.js';

const test = suite('findings of a failover');

const clean = {
  lost: 0,
  doubled: 0,
  unaudited: 0,
  missing: 0,
  phantom: 0,
  unpublished: 0,
  publishedTwice: 0,
  ghosts: 0,
  behind: 0,
  chainHolds: true,
  stallMs: 9_000,
};

test('every finding is a violation where two copies are promised', () => {
  assert.is(violationsIn(clean, 'sync'), 0);
  const { stallMs: _stall, chainHolds: _chain, ...counts } = clean;
  for (const name of Object.keys(counts)) assert.is(violationsIn({ ...clean, [name]: 1 }, 'sync'), 1, name);
  assert.is(violationsIn({ ...clean, chainHolds: false }, 'sync'), 1);
});

test('where a loss was declared possible, only what is lost is no violation', () => {
  assert.is(violationsIn({ ...clean, lost: 3, unaudited: 3, ghosts: 2 }, 'async'), 0);
  assert.is(violationsIn({ ...clean, lost: 3, doubled: 1 }, 'async'), 1);
  assert.is(violationsIn({ ...clean, chainHolds: false }, 'async'), 1);
});
