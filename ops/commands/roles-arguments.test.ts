import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { parseRoles } from './roles-arguments.js';

const test = suite('arguments of svc roles');

const change = (kind: string, roles: string[], permissions: string[], tenantId = '') => ({
  action: 'change',
  userId: 'ann',
  tenantId,
  change: { kind, roles, permissions },
  json: false,
});

test('options may be repeated or hold lists', () => {
  assert.equal(
    parseRoles(['grant', 'ann', '--role', 'a', '--role', 'b,a', '--permission', 'x:y', '--tenant', 'acme']),
    change('grant', ['a', 'b'], ['x:y'], 'acme'),
  );
  assert.equal(parseRoles(['revoke', 'ann', '--role', 'a']), change('revoke', ['a'], []));
  assert.equal(parseRoles(['set', 'ann', '--roles', 'a, b']), change('set', ['a', 'b'], []));
  assert.equal(parseRoles(['set', 'ann', '--roles=']), change('set', [], []));
  assert.equal(parseRoles(['define', 'clerk', '--permissions', 'x:y,z:*', '--json']), {
    action: 'define',
    role: 'clerk',
    permissions: ['x:y', 'z:*'],
    json: true,
  });
  assert.equal(parseRoles(['list']), { action: 'list', json: false });
});

for (const args of [
  [],
  ['list', 'ann'],
  ['toString'],
  ['define', 'clerk'],
  ['define', 'a,b', '--permissions', 'x:y'],
  ['define', 'clerk', '--permissions', 'nonsense'],
  ['define', 'clerk', '--permissions', 'x:y', '--tenant', 'acme'],
  ['grant', '--role', 'a'],
  ['grant', 'ann'],
  ['grant', 'ann', 'bob', '--role', 'a'],
  ['grant', 'ann', '--roles', 'a'],
  ['grant', 'ann', '--permission', 'x:y:z'],
  ['grant', '', '--role', 'a'],
  ['grant', ' ann', '--role', 'a'],
  ['grant', 'a\u0007', '--role', 'a'],
  ['grant', 'ann', '--role', 'a', '--tenant', ''],
  ['grant', 'ann', '--role', 'a', '--tenant', '*'],
  ['set', 'ann'],
  ['set', 'ann', '--role', 'a'],
]) {
  test(`${JSON.stringify(args)} is refused with a hint`, () => {
    assert.throws(
      () => parseRoles(args),
      (error: unknown) =>
        error instanceof Problem && error.code === 'usage' && /see svc roles --help/.test(error.detail ?? ''),
    );
  });
}
