import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collect } from './collect.js';

const test = suite('collect');

test('everything that an iteration yields becomes one list, in order', async () => {
  async function* three() {
    yield* [1, 2, 3];
  }
  assert.equal(await collect(three()), [1, 2, 3]);
});

test.run();
