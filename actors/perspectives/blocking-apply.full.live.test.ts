import { suite } from '../../contracts/testing/suite.js';
import { mustComplete } from '../testing/blocking-apply.js';

const test = suite('a perspective that fails');

test('an apply that blocks the host for ten seconds completes, although the lease expires', () =>
  mustComplete(10_000));
