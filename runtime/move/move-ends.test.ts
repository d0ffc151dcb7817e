import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { addressOf, leftOf } from './move-ends.js';

const test = suite('the ends of a move');

test('an address has neither user nor password', () => {
  assert.is(addressOf('postgres://ann:secret@db-a/orders?sslmode=require'), 'db-a:5432/orders');
  assert.is(addressOf('postgres://ann:secret@[::1]:5433/orders'), '[::1]:5433/orders');
});

test('of a list with the target, the store leaves the other server', () => {
  const listed = 'postgres://ann@db-a,db-b:5433/orders';
  assert.is(leftOf(listed, 'db-b:5433/orders'), 'postgres://ann@db-a/orders');
  assert.is(leftOf('postgres://ann@db-a/orders', 'db-a:5432/orders'), 'postgres://ann@db-a/orders');
  for (const target of ['db-c:5432/orders', 'db-b:5433/other'])
    assert.throws(
      () => leftOf(listed, target),
      (problem: unknown) => problem instanceof Problem && /several servers/.test(problem.message),
    );
});
