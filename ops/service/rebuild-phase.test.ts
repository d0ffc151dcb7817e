import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { rebuildPercent, rebuildPhase } from './rebuild-phase.js';

const test = suite('phase of a rebuild');

test('the share is that of the folded events, and never 100 % before the rebuild has ended', () => {
  assert.is(rebuildPercent({ done: 0, total: 0 }), 0);
  assert.is(rebuildPercent({ done: 42, total: 100 }), 42);
  assert.is(rebuildPercent({ done: 100, total: 100 }), 99);
  assert.is(rebuildPercent({ done: 130, total: 100 }), 99);
});

test('what is left to do is named when no event is folded', () => {
  assert.is(rebuildPhase({ done: 0, total: 0, step: 'preparing' }), 'counts its events');
  assert.is(rebuildPhase({ done: 50, total: 100, step: 'replaying' }), undefined);
  assert.is(rebuildPhase({ done: 100, total: 100, step: 'replaying' }), 'writes its rows');
  assert.is(rebuildPhase({ done: 100, total: 100, step: 'verifying' }), 'verifies its rows');
  assert.is(rebuildPhase({ done: 100, total: 100, step: 'swapping' }), 'swaps its tables');
});
