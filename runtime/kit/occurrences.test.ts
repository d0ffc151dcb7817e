import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { occurrences } from './occurrences.js';

const test = suite('Occurrences of a schedule');

test('a test sees when a schedule occurs', () => {
  const nightly = { cron: '30 2 * * *', timeZone: 'Europe/Berlin' };
  assert.equal(occurrences(nightly, '2026-03-28T00:00:00Z', 3), [
    '2026-03-28T01:30:00.000Z',
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ]);
});

test('a time that cannot be read is refused on one line', () => {
  assert.throws(
    () => occurrences({ cron: '30 2 * * *', timeZone: 'Europe/Berlin' }, 'tomorrow', 3),
    /^'tomorrow' is not a timestamp such as 2026-01-31T12:00:00Z\.$/,
  );
});
