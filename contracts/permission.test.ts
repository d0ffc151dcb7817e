import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Problem } from './problems.js';
import { isPermissionText, Permission } from './permission.js';
import { suite } from './testing/suite.js';

const test = suite('permission');

const part = fc.oneof(fc.constant('*'), fc.stringMatching(/^[a-z][a-z.-]{0,9}$/));
const permissions = fc.tuple(part, part).map(([resource, action]) => Permission.of(resource, action));

test('a permission has the form resource:action', () => {
  assert.is(Permission.of('orders', 'ship').value, 'orders:ship');
  assert.equal(
    [
      Permission.read('orders'),
      Permission.write('orders'),
      Permission.delete('orders'),
      Permission.admin('orders'),
      Permission.all('orders'),
    ].map(String),
    ['orders:read', 'orders:write', 'orders:delete', 'orders:admin', 'orders:*'],
  );
});

test('a permission round-trips through text and JSON', () => {
  fc.assert(
    fc.property(permissions, (permission) => {
      assert.ok(isPermissionText(String(permission)));
      assert.equal(Permission.parse(String(permission)), permission);
      assert.is(JSON.stringify([permission]), `["${permission.value}"]`);
    }),
  );
});

test('a malformed permission is rejected and named', () => {
  for (const text of ['', 'orders', 'orders:', ':read', 'a:b:c', 'my orders:read', 'ord*:read', 'a:b,c:d']) {
    assert.not(isPermissionText(text), text);
    assert.throws(
      () => Permission.parse(text),
      (error: unknown) => error instanceof Problem && error.message.startsWith(`'${text}'`),
    );
  }
  assert.throws(() => Permission.of('a:b', 'read'), /'a:b:read' is not a permission/);
});

test('a permission matches itself, *:* matches all', () => {
  fc.assert(
    fc.property(permissions, (permission) => {
      assert.ok(permission.matches(permission));
      assert.ok(Permission.parse('*:*').matches(permission));
    }),
  );
});

test('a star stands for any one part of what is required', () => {
  assert.ok(Permission.all('orders').matches('orders:read'));
  assert.ok(Permission.parse('*:read').matches('orders:read'));
  assert.not(Permission.all('orders').matches('invoices:read'));
  assert.not(Permission.parse('*:read').matches('orders:write'));
});

test('holding one action does not satisfy a requirement for all', () => {
  assert.not(Permission.read('orders').matches(Permission.all('orders')));
  assert.not(Permission.read('orders').matches('*:read'));
});
