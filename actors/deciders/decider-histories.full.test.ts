import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { wrongDecisions } from '../testing/decider-histories.js';

const test = suite('10,000 histories of deciders');

test('10,000 random histories with 3 caches and crashes: no wrong decision, refusals included', async () => {
  const { wrong } = await wrongDecisions(1_000_000, 10_000);
  assert.equal(wrong, []);
});

test.run();
