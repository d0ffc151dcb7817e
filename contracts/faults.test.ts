import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Faults } from './faults.js';

const test = suite('faults');

const faults = (many: number): Faults => {
  const all = new Faults();
  for (let n = 0; n < many; n++) all.push({ path: `/${n}`, message: 'is required' });
  return all;
};

test('a hundred faults are listed, and no count beside them', () => {
  const { errors, extensions } = faults(100).listed;
  assert.is(errors.length, 100);
  assert.is(extensions, undefined);
});

test('of more faults the first hundred are listed, with the number of all', () => {
  const { errors, extensions } = faults(345_000).listed;
  assert.is(errors.length, 100);
  assert.is(errors.at(-1)?.path, '/99');
  assert.equal(extensions, { errorCount: 345_000 });
});

test.run();
