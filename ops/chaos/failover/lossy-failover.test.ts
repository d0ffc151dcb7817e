import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { isExact, isReported } from './lossy-failover.js';

const test = suite('reported loss');

const lossOf = (said: Readonly<Record<string, unknown>> | undefined) => ({
  fork: 10,
  lostTo: 20,
  said,
  isExact: isExact(said, 10, 20),
});

test('a loss that nobody recorded is not reported', () => {
  assert.not(isReported(lossOf(undefined)));
});

test('a recorded range must be exactly what was lost', () => {
  assert.ok(isReported(lossOf({ fork: 10, lostTo: 20 })));
  assert.not(isReported(lossOf({ fork: 10, lostTo: 19 })));
  assert.not(isReported(lossOf({ fork: 9, lostTo: 20 })));
});

test('a record without a range counts as a report, but not as an exact one', () => {
  assert.ok(isReported(lossOf({ lostTo: 20 })));
  assert.not(lossOf({ lostTo: 20 }).isExact);
});
