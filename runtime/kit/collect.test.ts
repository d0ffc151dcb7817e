import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { collect } from './collect.js';

const test = suite('collect');

test('everything that an iteration yields becomes one list, in order', async () => {
  async function* three() {
    yield* [1, 2, 3];
  }
  assert.equal(await collect(three()), [1, 2, 3]);
});
