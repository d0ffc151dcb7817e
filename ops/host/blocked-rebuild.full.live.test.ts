import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { mustBeginAndEnd, type Reported, withShop } from '../testing/blocking-shop.js';

const test = suite('a rebuild whose apply blocks the event loop for long');

/** The time of each report is that of its commit. */
function mustHaveReported(reported: Reported): void {
  mustBeginAndEnd(reported);
  assert.ok(reported.longestGap <= 5, `${reported.longestGap} s without a report`);
}

test('progress is reported at least every 5 s while an event takes 12 s, and its count does not change', () =>
  withShop(async (rebuild) => {
    mustHaveReported(await rebuild({ BLOCK: '5' }));
    const one = await rebuild({ BLOCK: '12000', BLOCK_AT: '100' });
    mustHaveReported(one);
    const meanwhile = one.counts.filter((count) => count < 100);
    assert.ok(meanwhile.length >= 3, one.counts.join(' '));
    assert.is(new Set(meanwhile.slice(-3)).size, 1, one.counts.join(' '));
  }));
