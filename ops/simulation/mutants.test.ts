import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { engineNames } from './simulate-seed.js';
import { mutants, seedThatFinds } from './mutants.js';

const test = suite('mistakes planted in what is simulated');

for (const mutant of mutants)
  test(`${mutant.engine}: that ${mutant.mistake} is found`, async () => {
    assert.ok((await seedThatFinds(mutant)) !== undefined);
  });

test('at least two are planted in each engine', () => {
  for (const engine of engineNames)
    assert.ok(mutants.filter((mutant) => mutant.engine === engine).length >= 2, engine);
});
