import * as assert from 'uvu/assert';
import { suite } from '../../../../contracts/testing/suite.js';
import { LastKnown } from './last-known.js';

const test = suite('last known answers');

test('the last answer of a silent host stands in, until the host is no longer there', () => {
  const known = new LastKnown<number>();
  assert.equal(
    known.update([
      ['north-1', 7],
      ['north-2', undefined],
    ]),
    [
      ['north-1', 7],
      ['north-2', undefined],
    ],
  );
  assert.equal(
    known.update([
      ['north-1', undefined],
      ['north-2', 3],
    ]),
    [
      ['north-1', 7],
      ['north-2', 3],
    ],
  );
  assert.equal(known.update([['north-2', 4]]), [['north-2', 4]]);
  assert.equal(known.update([['north-1', undefined]]), [['north-1', undefined]]);
});
