import * as assert from 'uvu/assert';
import { filtersOf, isInScope } from './resource-scope.js';
import { ScopeFilters } from './perspective-scope.js';
import { suite } from './testing/suite.js';

const test = suite('scope of a resource');

const ann = {
  tenantId: 'acme',
  organizationId: 'sales',
  customerId: '7',
  userId: 'ann',
  allowedPrincipals: ['team:north', 'team:east'],
  extensions: {},
};
const nobody = { allowedPrincipals: [], extensions: {} };

test('what a resource does not name is not compared', () => {
  assert.ok(isInScope({}, ann));
  assert.ok(isInScope({ allowedPrincipals: [] }, nobody));
  assert.is(filtersOf({ allowedPrincipals: [] }), ScopeFilters.None);
});

test('each member that is named must match, and has its flag', () => {
  const { Tenant, Organization, Customer, User, Principal } = ScopeFilters;
  for (const [resource, other, flag] of [
    [{ tenantId: 'acme' }, { tenantId: 'bolt' }, Tenant],
    [{ organizationId: 'sales' }, { organizationId: 'law' }, Organization],
    [{ customerId: '7' }, { customerId: '8' }, Customer],
    [{ userId: 'ann' }, { userId: 'bob' }, User],
    [{ allowedPrincipals: ['team:west', 'team:east'] }, { allowedPrincipals: ['team:west'] }, Principal],
  ] as const) {
    assert.equal([isInScope(resource, ann), filtersOf(resource)], [true, flag]);
    assert.equal([isInScope(other, ann), isInScope(resource, nobody)], [false, false]);
  }
  assert.ok(!isInScope({ tenantId: 'acme', userId: 'bob' }, ann));
  assert.is(filtersOf({ tenantId: 'acme', userId: 'bob' }), Tenant | User);
});
