import * as assert from 'uvu/assert';
import { identityFrom } from '../../contracts/identity.js';
import { Permission } from '../../contracts/permission.js';
import { suite } from '../../contracts/testing/suite.js';
import { AccessGuard } from './access-guard.js';

const test = suite('access guard');

function guarding() {
  const seen: string[] = [];
  const guard = new AccessGuard({
    established: () => undefined,
    granted: (by, permission, { type, id }) =>
      seen.push(`granted ${by.source} ${permission.value} ${type} ${id}`),
    denied: (by, permission, { type }, reason) =>
      seen.push(`denied ${by?.source ?? 'nobody'} ${permission.value} ${type} ${reason}`),
  });
  return { guard, seen };
}

const write = Permission.write('orders');
const resource = { type: 'Order', id: '7' };
const clerk = identityFrom({ source: 'clerk', permissions: ['orders:*'] });
const reader = identityFrom({ source: 'reader', permissions: ['orders:read'] });

test('a permission is granted to those who hold it, and every decision is an event', () => {
  const { guard, seen } = guarding();
  assert.is(guard.refusalOf(clerk, write, resource), undefined);
  assert.is(guard.refusalOf(reader, write, resource)?.status, 403);
  assert.is(guard.refusalOf(undefined, write, resource)?.status, 401);
  assert.equal(seen, [
    'granted clerk orders:write Order 7',
    'denied reader orders:write Order InsufficientPermission',
    'denied nobody orders:write Order NotAuthenticated',
  ]);
});

test('public needs nobody, authenticated anybody; neither is an event', () => {
  const { guard, seen } = guarding();
  assert.is(guard.refusalOf(undefined, 'public', resource), undefined);
  assert.is(guard.refusalOf(reader, 'authenticated', resource), undefined);
  assert.is(guard.refusalOf(undefined, 'authenticated', resource)?.status, 401);
  assert.equal(seen, []);
});

test('wrong credentials are an event wherever they are sent, with the request that they belong to', () => {
  const denied: unknown[] = [];
  const guard = new AccessGuard({
    established: () => undefined,
    granted: () => undefined,
    denied: (by, { value }, { type }, reason, origin) => denied.push([by, value, type, reason, origin]),
  });
  const origin = { correlationId: 'story-7', address: '203.0.113.5' };
  for (const required of [write, 'authenticated', 'public'] as const)
    guard.unidentified(required, resource, origin);
  assert.equal(
    denied,
    ['orders:write', 'svc:authenticated', 'svc:authenticated'].map((permission) => [
      undefined,
      permission,
      'Order',
      'NotAuthenticated',
      origin,
    ]),
  );
});
