import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { holdsWithin, type Expectation, runScenario, type Scenario } from './scenario.js';

const test = suite('chaos scenarios');

const promising =
  (...promises: Expectation[]): Scenario =>
  (_run, judge) =>
    judge({ promises, stores: [] });
const run = { seed: 1, printProgress: () => undefined };

test('a scenario is ok when all its promises were kept, and not without any', async () => {
  const kept = { promise: 'messages are published', kept: true };
  const broken = { promise: 'readiness fails', kept: false };
  const reports = [promising(kept), promising(kept, broken), promising()].map((scenario) =>
    runScenario(scenario, 'rain', run),
  );
  assert.equal(
    (await Promise.all(reports)).map(({ ok, scenario }) => [ok, scenario]),
    [
      [true, 'rain'],
      [false, 'rain'],
      [false, 'rain'],
    ],
  );
});

test('a promise is kept as soon as it is true, and broken when its time is over', async () => {
  let looks = 0;
  const kept = await holdsWithin('it rains', 60_000, () => Promise.resolve(++looks === 2));
  assert.equal([kept.kept, kept.promise, looks], [true, 'it rains within 60 s', 2]);
  const broken = await holdsWithin('it rains', 1, () => Promise.resolve(false));
  assert.is(broken.kept, false);
});

test('a check that throws counts as not true yet', async () => {
  const found = await holdsWithin('it rains', 1, () => Promise.reject(new TypeError('no sky')));
  assert.is(found.kept, false);
});
