import * as assert from 'uvu/assert';
import { ScopeFilters } from './perspective-scope.js';
import { suite } from './testing/suite.js';

const test = suite('perspective scope');

test('scope filters are bits that combine', () => {
  assert.equal(ScopeFilters, { None: 0, Tenant: 1, Organization: 2, Customer: 4, User: 8, Principal: 16 });
  const filter: ScopeFilters = ScopeFilters.Tenant | ScopeFilters.User;
  assert.is(filter, 9);
});
