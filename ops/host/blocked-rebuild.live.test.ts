import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { mustBeginAndEnd, sales, withShop } from '../testing/blocking-shop.js';

const test = suite('a rebuild whose apply blocks the event loop');

test('progress is reported while many events take 5 ms each, and by a thread while one takes seconds', () =>
  withShop(async (rebuild) => {
    const many = await rebuild({ BLOCK: '5' });
    mustBeginAndEnd(many);
    assert.ok(
      many.counts.some((count) => count > 0 && count < sales),
      many.counts.join(' '),
    );
    const one = await rebuild({ BLOCK: '8000', BLOCK_AT: '100' });
    mustBeginAndEnd(one);
    assert.ok(one.counts.filter((count) => count < 100).length >= 2, one.counts.join(' '));
  }));
