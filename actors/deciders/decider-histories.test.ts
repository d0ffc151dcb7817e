import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { wrongDecisions } from '../testing/decider-histories.js';

const test = suite('histories of deciders');

test('2,000 random histories with 3 caches and crashes: no wrong decision, refusals included', async () => {
  const { wrong, decided } = await wrongDecisions(0, 2_000);
  assert.equal(wrong, []);
  assert.ok(decided > 0.8, `only ${decided} of the commands were decided`);
});

test.run();
