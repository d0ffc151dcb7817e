import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { sameWeight, weightOfTenants } from './tenant-weights.js';

const test = suite('weights of tenants');

test('the operator weighs more than the service, and the others have the weight 1', () => {
  const weightOf = weightOfTenants(new Map([['north', 10]]), (tenant) => (tenant === 'east' ? 5 : 2));
  assert.equal(['north', 'east', 'west', undefined].map(weightOf), [10, 5, 2, 1]);
  assert.equal(['north', 'east'].map(weightOfTenants(new Map([['north', 10]]))), [10, 1]);
  assert.is(weightOfTenants(new Map()), sameWeight);
});

test('what a service says that is no weight counts as 1', () => {
  for (const weight of [0, 101, 1.5, Number.NaN, -1])
    assert.is(weightOfTenants(new Map(), () => weight)('north'), 1, String(weight));
  const throwing = weightOfTenants(new Map(), () => {
    throw new TypeError('no such tenant');
  });
  assert.is(throwing('north'), 1);
  const reports: object[] = [];
  const wrong = weightOfTenants(
    new Map(),
    () => 0,
    (fault) => void reports.push(fault),
  );
  assert.equal([wrong('north'), wrong('south')], [1, 1]);
  assert.equal(reports, [{ tenant: 'north', weight: 0 }]);
});
