import * as assert from 'uvu/assert';
import { seeds } from '../../contracts/testing/seeds.js';
import { suite } from '../../contracts/testing/suite.js';
import { type EngineName, engineNames, simulateSeed } from './simulate-seed.js';

const test = suite('simulated engines');

/** Of each engine, by how long a run takes. */
const counts: Readonly<Record<EngineName, number>> = {
  reactions: 80,
  keyLines: 430,
  dueWork: 90,
  relay: 450,
  admission: 450,
  deployments: 600,
};
const longer = 10;

for (const engine of engineNames) {
  const count = seeds(counts[engine], counts[engine] * longer);
  test(`${engine}: no rule is broken in ${count} runs, and none of them is without faults or work`, async () => {
    let faults = 0;
    for (let seed = 1; seed <= count; seed++) {
      const run = await simulateSeed(engine, seed);
      assert.equal(run.found, [], `npm run chaos -- --simulate --seed ${seed}`);
      assert.ok(run.work > 0);
      faults += run.faults;
    }
    assert.ok(faults > count, `only ${faults} faults`);
  });
}

test('together these are at least 2,000 runs', () => {
  assert.ok(Object.values(counts).reduce((sum, count) => sum + count) >= 2_000);
});

test('a seed gives the same run again, and another seed another one', async () => {
  for (const engine of engineNames) {
    const [one, again, other] = [
      await simulateSeed(engine, 7),
      await simulateSeed(engine, 7),
      await simulateSeed(engine, 8),
    ];
    assert.equal([one.digest, one.steps, one.faults], [again.digest, again.steps, again.faults], engine);
    assert.not.equal([one.digest, one.steps], [other.digest, other.steps], engine);
  }
});

test('the real clock is back after a run', async () => {
  const before = [setTimeout, Date.now, Math.random, setImmediate, performance.now];
  await simulateSeed('admission', 1);
  assert.equal([setTimeout, Date.now, Math.random, setImmediate, performance.now], before);
});
