import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { engineNames } from './simulate-seed.js';
import { mutants, seedThatFinds } from './mutants.js';

const test = suite('mistakes planted in what is simulated');

const mostSeeds = 200;

for (const mutant of mutants)
  test(`${mutant.engine}: that ${mutant.mistake} is found within ${mostSeeds} seeds`, async () => {
    assert.ok((await seedThatFinds(mutant, mostSeeds)) !== undefined);
  });

test('at least two are planted in each engine', () => {
  for (const engine of engineNames)
    assert.ok(mutants.filter((mutant) => mutant.engine === engine).length >= 2, engine);
});
