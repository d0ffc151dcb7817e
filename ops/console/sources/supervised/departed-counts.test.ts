import * as assert from 'uvu/assert';
import { suite } from '../../../../contracts/testing/suite.js';
import { DepartedCounts } from './departed-counts.js';

const test = suite('counts of departed hosts');

const counts = (requests: number) => ({ requests, failed: 0, crashed: 0, rejected: 0, replayed: 0 });

test('the total does not fall when hosts are replaced or removed', () => {
  const departed = new DepartedCounts();
  const total = (...hosts: readonly (readonly [string, number])[]): number => {
    const present = new Map(hosts.map(([name, requests]) => [name, counts(requests)]));
    const now = hosts.reduce((sum, [, requests]) => sum + requests, 0);
    return now + departed.update(present).requests;
  };
  assert.is(total(['north-1', 2], ['north-2', 3]), 5);
  assert.is(total(['north-1', 2], ['north-2', 0]), 5);
  assert.is(total(['north-1', 4], ['north-2', 1]), 8);
  assert.is(total(['north-2', 1]), 8);
  assert.is(total(['north-2', 1], ['north-3', 2]), 10);
});
