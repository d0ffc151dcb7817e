import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { LineModel, type ModelOutcome } from '../testing/line-model.js';
import { allRules, type ModelRules } from '../testing/model-progress.js';
import { maxAhead } from './line-window.js';

const test = suite('line of a cursor, as a model');

const seeds = 220;
const events = 300;

const runOf = (seed: number, rules: Partial<ModelRules> = {}): ModelOutcome =>
  new LineModel(seed, { ...allRules, ...rules }, events).run();

const allSeeds = Array.from({ length: seeds }, (_, index) => index + 1);

const hasFault = ({ lost, doubled, outOfOrder }: ModelOutcome): boolean => lost + doubled + outOfOrder > 0;

test('owners steal and die, events fail, keys are slow, parked and released: nothing is lost, doubled or out of order', () => {
  const outcomes = allSeeds.map((seed) => runOf(seed));
  for (const [index, { finished, lost, doubled, outOfOrder }] of outcomes.entries())
    assert.equal(
      { finished, lost, doubled, outOfOrder },
      { finished: true, lost: 0, doubled: 0, outOfOrder: 0 },
      `seed ${index + 1}`,
    );
  assert.ok(Math.max(...outcomes.map(({ mostDone }) => mostDone)) <= maxAhead);
  for (const count of ['deaths', 'overtaken', 'setAside', 'slow', 'parked', 'back'] as const)
    assert.ok(outcomes.reduce((sum, outcome) => sum + outcome[count], 0) > seeds / 4, count);
});

test('without the epoch the model finds a fault', () => {
  assert.ok(allSeeds.some((seed) => hasFault(runOf(seed, { epoch: false }))));
});

test('without the done of an aside step the model finds a fault', () => {
  assert.ok(allSeeds.some((seed) => hasFault(runOf(seed, { asideDone: false }))));
});

test('the key in the mark is a second lock: a line never needs it', () => {
  assert.not(allSeeds.slice(0, 40).some((seed) => hasFault(runOf(seed, { keyInMark: false }))));
});
