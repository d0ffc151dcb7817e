import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { countText, secondsText } from './quantity-text.js';

const test = suite('quantities');

test('a count has its thousands separated, and agrees with what is counted', () => {
  assert.equal(
    [0, 1, 164_540].map((count) => countText(count, 'event')),
    ['0 events', '1 event', '164,540 events'],
  );
});

test('a time has the unit that a reader needs', () => {
  assert.equal([0.4, 61, 1_012, 9_000, 777_600].map(secondsText), ['0 s', '61 s', '16 min', '2 h', '9 days']);
});
