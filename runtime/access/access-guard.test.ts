import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { identityFrom } from '../../contracts/identity.js';
import { Permission } from '../../contracts/permission.js';
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
    'denied nobody orders:write Order InsufficientPermission',
  ]);
});

test('public needs nobody, authenticated anybody; neither is an event', () => {
  const { guard, seen } = guarding();
  assert.is(guard.refusalOf(undefined, 'public', resource), undefined);
  assert.is(guard.refusalOf(reader, 'authenticated', resource), undefined);
  assert.is(guard.refusalOf(undefined, 'authenticated', resource)?.status, 401);
  assert.equal(seen, []);
});

test.run();
