import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { changeRights, type RightsChange } from './rights-change.js';

const test = suite('change of rights');

const before = { roles: ['clerk', 'driver'], permissions: ['orders:read'] };
const change = (kind: RightsChange['kind'], roles: string[], permissions: string[]) =>
  changeRights(before, { kind, roles, permissions });

test('granted roles and permissions are two differences, without those that the user had', () => {
  assert.equal(change('grant', ['clerk', 'boss', 'boss'], ['orders:read', 'orders:write']), {
    rights: { roles: ['clerk', 'driver', 'boss'], permissions: ['orders:read', 'orders:write'] },
    differences: [
      { changeType: 'RolesAdded', rolesAdded: ['boss'] },
      { changeType: 'PermissionsAdded', permissionsAdded: ['orders:write'] },
    ],
  });
});

test('so are revoked ones, without those that the user never had', () => {
  assert.equal(change('revoke', ['driver', 'boss'], ['orders:read']), {
    rights: { roles: ['clerk'], permissions: [] },
    differences: [
      { changeType: 'RolesRemoved', rolesRemoved: ['driver'] },
      { changeType: 'PermissionsRemoved', permissionsRemoved: ['orders:read'] },
    ],
  });
});

test('a full reassignment is one difference', () => {
  assert.equal(change('set', ['boss'], ['orders:read', 'orders:write']), {
    rights: { roles: ['boss'], permissions: ['orders:read', 'orders:write'] },
    differences: [
      {
        rolesAdded: ['boss'],
        rolesRemoved: ['clerk', 'driver'],
        permissionsAdded: ['orders:write'],
        changeType: 'FullReassignment',
      },
    ],
  });
});

test('what changes nothing is no difference, in whatever order it is given', () => {
  for (const same of [
    change('grant', ['clerk'], []),
    change('revoke', ['boss'], ['orders:write']),
    change('set', ['driver', 'clerk'], ['orders:read']),
  ])
    assert.equal(same.differences, []);
});
