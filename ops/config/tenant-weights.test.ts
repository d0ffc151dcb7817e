import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { tenantWeightsOf } from './tenant-weights.js';

const test = suite('weights of tenants');

function read(text: string | undefined): readonly [weights: object, faults: number] {
  const faults: string[] = [];
  const weights = tenantWeightsOf({ SVC_TENANT_WEIGHTS: text }, faults);
  for (const fault of faults) assert.match(fault, /^SVC_TENANT_WEIGHTS must name tenants with whole numbers/);
  return [Object.fromEntries(weights), faults.length];
}

test('tenants are named with weights from 1 to 100; the name may hold an equals sign', () => {
  assert.equal(read(undefined), [{}, 0]);
  assert.equal(read('north=10, south = 2,a=b=100'), [{ north: 10, south: 2, 'a=b': 100 }, 0]);
});

test('every other weight is refused', () => {
  for (const text of ['north', 'north=', 'north=0', 'north=101', 'north=1.5', '=3', 'north=x'])
    assert.equal(read(text), [{}, 1], text);
});
