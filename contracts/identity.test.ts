import * as assert from 'uvu/assert';
import { identityFrom, isPermitted } from './identity.js';
import { Problem } from './problems.js';
import { Permission } from './permission.js';
import { suite } from './testing/suite.js';

const test = suite('identity');

test('what an authenticator leaves out is empty', () => {
  assert.equal(identityFrom({ source: 'test' }), {
    scope: { allowedPrincipals: [], extensions: {} },
    roles: [],
    permissions: [],
    source: 'test',
    displayName: undefined,
  });
});

test('permissions may be texts', () => {
  const identity = identityFrom({ source: 'test', permissions: ['orders:*', Permission.read('audit')] });
  assert.ok(isPermitted(identity, Permission.write('orders')));
  assert.ok(isPermitted(identity, Permission.read('audit')));
  assert.not(isPermitted(identity, Permission.write('audit')));
});

for (const [what, init] of Object.entries({
  'a number as tenant': { scope: { tenantId: 7 as unknown as string } },
  'the name of all tenants': { scope: { tenantId: '*' } },
  'an empty tenant': { scope: { tenantId: '' } },
  'a null as user': { scope: { userId: null as unknown as string } },
  'a user with a line break': { scope: { userId: 'ada\nroot' } },
  'a NUL in a role': { roles: ['a\0'] },
  'half of a surrogate pair as tenant': { scope: { tenantId: 'north\ud800' } },
  'a long name': { displayName: 'x'.repeat(257) },
  'an object in extensions': { scope: { extensions: { a: {} as unknown as string } } },
  'thousands of roles': { roles: Array.from({ length: 1_001 }, () => 'r') },
  'thousands of permissions': { permissions: Array.from({ length: 1_001 }, () => 'a:b') },
})) {
  test(`${what} is refused, without its value`, () => {
    assert.throws(
      () => identityFrom({ source: 'test', ...init }),
      (error: unknown) =>
        error instanceof Problem &&
        error.code === 'unauthenticated' &&
        error.detail === 'The credentials are not valid.',
    );
  });
}
