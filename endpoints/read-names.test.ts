import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { readNamesOf } from './read-names.js';

const test = suite('names of reads');

const namesOf = (route: string) => {
  const names = readNamesOf(route);
  return names && [names.list, names.one];
};

test('a list is named by its route, and a row by its singular', () => {
  assert.equal(namesOf('/orders'), ['orders', 'order']);
  assert.equal(namesOf('/shop/open-orders'), ['shopOpenOrders', 'shopOpenOrder']);
  assert.equal(namesOf('/categories'), ['categories', 'category']);
  assert.equal(namesOf('/boxes'), ['boxes', 'box']);
  assert.equal(namesOf('/addresses'), ['addresses', 'address']);
  assert.equal(namesOf('/houses'), ['houses', 'house']);
  assert.equal(namesOf('/API_keys.v2'), ['aPIKeysV2', 'aPIKeysV2ById']);
});

test('a row of a route without a plural is named by its id', () => {
  assert.equal(namesOf('/audit-log'), ['auditLog', 'auditLogById']);
  for (const route of ['/status', '/news', '/series', '/access', '/analysis'])
    assert.equal(namesOf(route), [route.slice(1), `${route.slice(1)}ById`]);
});

test('a route that does not start with a letter has no names', () => {
  assert.is(namesOf('/2026/orders'), undefined);
  assert.is(namesOf('/~'), undefined);
});
