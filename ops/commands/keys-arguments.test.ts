import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { parseKeys } from './keys-arguments.js';

const test = suite('arguments of svc keys');

test('a key has a name and permissions, and may have a tenant and a user', () => {
  const common = ['create', '--name', 'till 7', '--permissions', 'orders:read, orders:write,orders:read'];
  const parsed = { action: 'create', json: false, reason: undefined, name: 'till 7' };
  const permissions = ['orders:read', 'orders:write'];
  assert.equal(parseKeys(common), { ...parsed, permissions, tenantId: undefined, userId: undefined });
  const scoped = ['--tenant', 'north', '--user', 'ada', '--reason', ' new till ', '--json'];
  assert.equal(parseKeys([...common, ...scoped]), {
    ...parsed,
    permissions,
    tenantId: 'north',
    userId: 'ada',
    json: true,
    reason: 'new till',
  });
});

test('a key is named by its id, with or without its beginning', () => {
  for (const id of ['1a2b3c4d', 'svc_1a2b3c4d'])
    assert.equal(parseKeys(['revoke', id]), {
      action: 'revoke',
      json: false,
      reason: undefined,
      id: '1a2b3c4d',
    });
});

const key = `svc_1a2b3c4d_${'a'.repeat(43)}`;

for (const args of [
  [],
  ['make'],
  ['list', '1a2b3c4d'],
  ['list', '--name', 'a'],
  ['list', '--reason', 'a'],
  ['revoke'],
  ['revoke', '1a2b3c4d', '1a2b3c4e'],
  ['revoke', '1a2b3c4d', '--tenant', 'a'],
  ['revoke', '1A2B3C4D'],
  ['revoke', '1a2b3c4'],
  ['revoke', key],
  ['create'],
  ['create', '--name', 'a'],
  ['create', '--permissions', 'a:b'],
  ['create', '--name', '', '--permissions', 'a:b'],
  ['create', '--name', 'a\nb', '--permissions', 'a:b'],
  ['create', '--name', 'a'.repeat(257), '--permissions', 'a:b'],
  ['create', '--name', 'a', '--permissions', ''],
  ['create', '--name', 'a', '--permissions', 'a:b,'],
  ['create', '--name', 'a', '--permissions', 'a'],
  ['create', '--name', 'a', '--permissions', 'a:b', '--tenant', ''],
  ['create', '--name', 'a', '--permissions', 'a:b', '--user', '\u0000'],
  ['create', '1a2b3c4d', '--name', 'a', '--permissions', 'a:b'],
  ['create', '--name', 'a', '--permissions', 'a:b', '--loud'],
]) {
  test(`\`svc keys ${JSON.stringify(args.join(' ')).slice(0, 60)}\` is refused, and no key is repeated`, () => {
    assert.throws(
      () => parseKeys(args),
      (error: Error) => /; see svc keys --help\.$/.test(error.message) && !error.message.includes(key),
    );
  });
}
