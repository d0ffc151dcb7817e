import * as assert from 'uvu/assert';
import { partitions } from '../../contracts/reaction-store.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { partOf } from './part-of.js';

const test = suite('partitions');

test('the partition of a key never changes', () => {
  assert.equal(['', 'order-1', 'order-2', 'Zürich'].map(partOf), [4, 2, 3, 7]);
});

test('keys are shared out evenly', () => {
  const counts = Array.from({ length: partitions }, () => 0);
  for (let n = 0; n < 8_000; n++) {
    const part = partOf(newUuid());
    counts[part] = (counts[part] ?? 0) + 1;
  }
  assert.ok(Math.min(...counts) > 800 && Math.max(...counts) < 1_200, counts.join(' '));
});
