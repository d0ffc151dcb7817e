import * as assert from 'uvu/assert';
import { auditMarkOf } from '../audit.js';
import { SystemEvent } from '../message.js';
import { faultsOf } from '../record-class.js';
import { isUuid } from '../scalars.js';
import { Permission } from '../permission.js';
import { ScopeFilters } from '../perspective-scope.js';
import { suite } from '../testing/suite.js';
import {
  AccessDenialReason,
  AccessDenied,
  AccessGranted,
  PermissionChanged,
  PermissionChangeType,
  ScopeContextEstablished,
} from './access.js';

const test = suite('events/access');

const timestamp = '2026-03-01T09:30:00Z';
const acme = { tenantId: 'acme', userId: 'ann' };

const missingIn = (record: object): readonly string[] => faultsOf(record).map(({ path }) => path);

test('ScopeContextEstablished records who acts, with which rights, and how that was established', () => {
  const established = new ScopeContextEstablished({
    id: '0190b5d4-0000-7000-8000-000000000001',
    scope: { ...acme, allowedPrincipals: ['user:ann'], extensions: { region: 'eu' } },
    roles: new Set(['clerk']),
    permissions: [Permission.read('orders'), 'orders:write', 'orders:read'],
    source: 'jwt',
    timestamp,
  });
  assert.is(
    JSON.stringify(established),
    JSON.stringify({
      id: '0190b5d4-0000-7000-8000-000000000001',
      scope: { ...acme, allowedPrincipals: ['user:ann'], extensions: { region: 'eu' } },
      roles: ['clerk'],
      permissions: ['orders:read', 'orders:write'],
      source: 'jwt',
      timestamp,
    }),
  );
  assert.equal(faultsOf(established), []);
});

test('PermissionChanged records whose rights changed, how, and by whom', () => {
  const changed = new PermissionChanged({
    userId: 'ann',
    tenantId: 'acme',
    changeType: 'FullReassignment',
    rolesAdded: ['clerk', 'clerk'],
    rolesRemoved: ['guest', 'guest'],
    permissionsAdded: new Set([Permission.write('orders')]),
    permissionsRemoved: ['orders:admin', Permission.admin('orders')],
    changedBy: 'root',
    timestamp,
  });
  const { id, ...rest } = changed;
  assert.ok(isUuid(id));
  assert.equal(rest, {
    userId: 'ann',
    tenantId: 'acme',
    changeType: 'FullReassignment',
    rolesAdded: ['clerk'],
    rolesRemoved: ['guest'],
    permissionsAdded: ['orders:write'],
    permissionsRemoved: ['orders:admin'],
    changedBy: 'root',
    timestamp,
  });
  assert.equal(faultsOf(changed), []);
});

test('AccessGranted records which permission granted access to which resource', () => {
  const granted = new AccessGranted({
    resourceType: 'Order',
    resourceId: 'o-1',
    usedPermission: Permission.read('orders'),
    accessFilter: ScopeFilters.Tenant | ScopeFilters.User,
    scope: acme,
    timestamp,
  });
  const { id, ...rest } = granted;
  assert.ok(isUuid(id));
  assert.equal(rest, {
    resourceType: 'Order',
    resourceId: 'o-1',
    usedPermission: 'orders:read',
    accessFilter: 9,
    scope: { ...acme, allowedPrincipals: [], extensions: {} },
    timestamp,
  });
  assert.equal(faultsOf(granted), []);
});

test('AccessDenied records what was missing and what the caller held instead', () => {
  const denied = new AccessDenied({
    resourceType: 'Order',
    requiredPermission: 'orders:delete',
    callerPermissions: [Permission.read('orders'), 'orders:read'],
    callerRoles: ['clerk', 'clerk'],
    scope: { tenantId: 'acme', userId: undefined },
    reason: 'InsufficientPermission',
    timestamp,
  });
  const { id, ...rest } = denied;
  assert.ok(isUuid(id));
  assert.equal(rest, {
    resourceType: 'Order',
    requiredPermission: 'orders:delete',
    callerPermissions: ['orders:read'],
    callerRoles: ['clerk'],
    scope: { tenantId: 'acme', allowedPrincipals: [], extensions: {} },
    reason: 'InsufficientPermission',
    timestamp,
  });
  assert.equal(faultsOf(denied), []);
});

test('each security event needs the fields that the specification requires', () => {
  assert.equal(missingIn(Reflect.construct(ScopeContextEstablished, [{}])), [
    '/scope',
    '/roles',
    '/permissions',
    '/source',
    '/timestamp',
  ]);
  assert.equal(missingIn(Reflect.construct(PermissionChanged, [{}])), [
    '/userId',
    '/tenantId',
    '/changeType',
    '/changedBy',
    '/timestamp',
  ]);
  assert.equal(missingIn(Reflect.construct(AccessGranted, [{}])), [
    '/resourceType',
    '/usedPermission',
    '/accessFilter',
    '/scope',
    '/timestamp',
  ]);
  assert.equal(missingIn(Reflect.construct(AccessDenied, [{}])), [
    '/resourceType',
    '/requiredPermission',
    '/callerPermissions',
    '/callerRoles',
    '/scope',
    '/reason',
    '/timestamp',
  ]);
});

test('malformed permissions, unknown reasons and unknown filters are faults', () => {
  const granted = Reflect.construct(AccessGranted, [
    { resourceType: 'Order', usedPermission: 'orders', accessFilter: 32, scope: { userId: 7 }, timestamp },
  ]);
  assert.equal(faultsOf(granted), [
    { path: '/usedPermission', message: 'must be a permission, resource:action' },
    {
      path: '/accessFilter',
      message: 'must be a combination of None, Tenant, Organization, Customer, User, Principal',
    },
    { path: '/scope/userId', message: 'must be a string' },
  ]);
});

test('security events are system events that are never audited themselves', () => {
  for (const type of [ScopeContextEstablished, PermissionChanged, AccessGranted, AccessDenied]) {
    assert.ok(type.prototype instanceof SystemEvent, type.name);
    assert.is(auditMarkOf(type)?.exclude, true, type.name);
  }
});

test('a change of permissions and a denial name their kind', () => {
  assert.equal(Object.values(PermissionChangeType), [
    'RolesAdded',
    'RolesRemoved',
    'PermissionsAdded',
    'PermissionsRemoved',
    'FullReassignment',
  ]);
  assert.equal(Object.values(AccessDenialReason), [
    'InsufficientPermission',
    'InsufficientRole',
    'ScopeViolation',
    'PolicyRejected',
    'NotAuthenticated',
  ]);
});
