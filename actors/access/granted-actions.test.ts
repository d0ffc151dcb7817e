import * as assert from 'uvu/assert';
import { Permission } from '../../contracts/permission.js';
import { ScopeFilters } from '../../contracts/perspective-scope.js';
import { suite } from '../../contracts/testing/suite.js';
import { GrantedActions } from './granted-actions.js';

const test = suite('granted actions');

test('a resource has another name for each permission and filter, also when it is asked for again', () => {
  const actions = new GrantedActions();
  const { Tenant, User } = ScopeFilters;
  const [read, write] = [Permission.read('orders'), Permission.write('orders')];
  for (const resource of [Object.freeze({ type: 'Order' }), { type: 'Order' }])
    for (let n = 0; n < 2; n++)
      assert.equal(
        [
          actions.textOf(resource, read, Tenant),
          actions.textOf(resource, read, User),
          actions.textOf(resource, write, User),
        ],
        [
          `granted\0orders:read\0${Tenant}\0Order`,
          `granted\0orders:read\0${User}\0Order`,
          `granted\0orders:write\0${User}\0Order`,
        ],
      );
});

test('a resource that was renamed is named by its new type', () => {
  const actions = new GrantedActions();
  const resource = { type: 'Order' };
  const read = Permission.read('orders');
  actions.textOf(resource, read, ScopeFilters.None);
  resource.type = 'Invoice';
  assert.match(actions.textOf(resource, read, ScopeFilters.None), /Invoice$/);
});
