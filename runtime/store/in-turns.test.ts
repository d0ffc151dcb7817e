import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { sameWeight, weightOfTenants } from '../lang/tenant-weights.js';
import { inTurns } from './in-turns.js';

const test = suite('turns in the commit queue');

const list = (text: string) => text.split(' ').map((tenant, n) => ({ tenant, n }));
const tenantOf = ({ tenant }: { readonly tenant: string }) => tenant;
const shown = (items: readonly { readonly tenant: string; readonly n: number }[]) =>
  items.map(({ tenant, n }) => `${tenant}${n}`).join(' ');

const turns = (text: string, count: number, each = Infinity, weightOf = sameWeight): string => {
  const { taken, rest } = inTurns(list(text), { count, each }, tenantOf, weightOf);
  return `${shown(taken)} | ${shown(rest)}`;
};

test('some of all tenants are taken, each in its order, and the rest stays as it was', () => {
  assert.is(turns('a a a a b', 3), 'a0 b4 a1 | a2 a3');
  assert.is(turns('a a b b c', 9), 'a0 b2 c4 a1 b3 | ');
  assert.is(turns('a a a', 2), 'a0 a1 | a2');
});

test('a tenant with a weight has as many turns', () => {
  const weightOf = weightOfTenants(new Map([['a', 2]]));
  assert.is(turns('b b a a a a', 5, Infinity, weightOf), 'b0 a2 a3 b1 a4 | a5');
});

test('of one tenant no more are taken than it may have at once, for its weight', () => {
  assert.is(turns('a a a a b', 9, 2), 'a0 b4 a1 | a2 a3');
  const weightOf = weightOfTenants(new Map([['a', 2]]));
  assert.is(turns('a a a a b b', 9, 1, weightOf), 'a0 a1 b4 | a2 a3 b5');
});
