import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { sameWeight, weightOfTenants } from '../lang/tenant-weights.js';
import { inTurns } from './in-turns.js';

const test = suite('turns in the commit queue');

const list = (text: string) => text.split(' ').map((tenant, n) => ({ tenant, n }));
const tenantOf = ({ tenant }: { readonly tenant: string }) => tenant;
const shown = (items: readonly { readonly tenant: string; readonly n: number }[]) =>
  items.map(({ tenant, n }) => `${tenant}${n}`).join(' ');

const turns = (
  text: string,
  count: number,
  more: { each?: number; few?: number } = {},
  weightOf = sameWeight,
) => {
  const { taken, rest } = inTurns(list(text), { count, each: Infinity, ...more }, tenantOf, weightOf);
  return `${shown(taken)} | ${shown(rest)}`;
};

test('some of all tenants are taken, and what is taken and left keeps its order', () => {
  assert.is(turns('a a a a b', 3), 'a0 a1 b4 | a2 a3');
  assert.is(turns('a a b b c', 4), 'a0 a1 b2 c4 | b3');
  assert.is(turns('a a a', 2), 'a0 a1 | a2');
});

test('a tenant with a weight has as many turns', () => {
  const weightOf = weightOfTenants(new Map([['a', 2]]));
  assert.is(turns('b b a a a a', 5, {}, weightOf), 'b0 b1 a2 a3 a4 | a5');
});

test('of one tenant no more are taken than it may have at once, for its weight', () => {
  assert.is(turns('a a a a b', 9, { each: 2 }), 'a0 a1 b4 | a2 a3');
  const weightOf = weightOfTenants(new Map([['a', 2]]));
  assert.is(turns('a a a a b b', 9, { each: 1 }, weightOf), 'a0 a1 b4 | a2 a3 b5');
});

test('of tenants that have few, those of others are left', () => {
  assert.is(turns('a a a b c c', 9, { few: 2 }), 'b3 c4 c5 | a0 a1 a2');
  const weightOf = weightOfTenants(new Map([['a', 2]]));
  assert.is(turns('a a a b b b', 9, { few: 2 }, weightOf), 'a0 a1 a2 | b3 b4 b5');
});
