import * as assert from 'uvu/assert';
import { Faults } from './faults.js';
import { suite } from './testing/suite.js';

const test = suite('faults');

const faults = (many: number): Faults => {
  const all = new Faults();
  for (let n = 0; n < many; n++) all.push({ path: `/${n}`, message: 'is required' });
  return all;
};

test('up to a hundred faults are listed without a count', () => {
  const { errors, extensions } = faults(100).listed;
  assert.is(errors.length, 100);
  assert.is(extensions, undefined);
});

test('of more than a hundred faults the first hundred are listed, with the total count', () => {
  const { errors, extensions } = faults(345_000).listed;
  assert.is(errors.length, 100);
  assert.is(errors.at(-1)?.path, '/99');
  assert.equal(extensions, { errorCount: 345_000 });
});
