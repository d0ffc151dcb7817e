import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { sameWeight, weightOfTenants } from '../lang/tenant-weights.js';
import { inTurns } from './in-turns.js';

const test = suite('turns in the commit queue');

const list = (text: string) => text.split(' ').map((tenant, n) => ({ tenant, n }));
const tenantOf = ({ tenant }: { readonly tenant: string }) => tenant;
const shown = (items: readonly { readonly tenant: string; readonly n: number }[]) =>
  items.map(({ tenant, n }) => `${tenant}${n}`).join(' ');

test('the first ones are of all tenants, each in its order, and the rest stays as it was', () => {
  assert.is(shown(inTurns(list('a a a a b'), 3, tenantOf, sameWeight)), 'a0 b4 a1 a2 a3');
  assert.is(shown(inTurns(list('a a b b c'), 9, tenantOf, sameWeight)), 'a0 b2 c4 a1 b3');
});

test('a tenant with a weight has as many turns', () => {
  const weightOf = weightOfTenants(new Map([['a', 2]]));
  assert.is(shown(inTurns(list('b b a a a a'), 5, tenantOf, weightOf)), 'b0 a2 a3 b1 a4 a5');
});

test('of one tenant the list stays as it is', () => {
  const all = list('a a a');
  assert.is(inTurns(all, 2, tenantOf, sameWeight), all);
});
