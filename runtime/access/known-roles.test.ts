import * as assert from 'uvu/assert';
import { identityFrom } from '../../contracts/identity.js';
import { suite } from '../../contracts/testing/suite.js';
import { KnownRoles } from './known-roles.js';
import type { StoredRoles } from './read-stored-roles.js';

const test = suite('known roles');

const stored: StoredRoles = {
  version: '1',
  definitions: [
    { role: 'clerk', permissions: ['orders:read', 'orders:write'] },
    { role: 'broken', permissions: ['nonsense', 'orders:ship'] },
  ],
  assignments: [
    { tenantId: 'acme', userId: 'ann', roles: ['clerk'], permissions: ['audit:read'] },
    { tenantId: '', userId: 'ann', roles: ['broken'], permissions: [] },
  ],
};

async function known(roles: StoredRoles | undefined = stored): Promise<KnownRoles> {
  const copy = new KnownRoles(async () => roles);
  await copy.refresh();
  return copy;
}

const ann = (tenantId?: string, roles: readonly string[] = []) =>
  identityFrom({
    source: 'test',
    scope: { userId: 'ann', ...(tenantId === undefined ? {} : { tenantId }) },
    roles,
    permissions: ['orders:read'],
  });

const rightsOf = ({ roles, permissions }: ReturnType<typeof ann>) => [
  roles.join(),
  permissions.map(({ value }) => value).join(),
];

test('a user has their own rights, those assigned to them, and the permissions of all their roles, each once', async () => {
  const roles = await known();
  assert.equal(rightsOf(roles.complete(ann('acme', ['broken']))), [
    'broken,clerk',
    'orders:read,audit:read,orders:ship,orders:write',
  ]);
});

test('an assignment holds in its tenant alone', async () => {
  const roles = await known();
  assert.equal(rightsOf(roles.complete(ann('other'))), ['', 'orders:read']);
  assert.equal(rightsOf(roles.complete(ann())), ['broken', 'orders:read,orders:ship']);
});

test('a role of the credentials gets its permissions without an assignment', async () => {
  const roles = await known();
  const machine = identityFrom({ source: 'test', roles: ['clerk', 'unknown'] });
  assert.equal(rightsOf(roles.complete(machine)), ['clerk,unknown', 'orders:read,orders:write']);
});

test('where the store adds nothing, the identity is returned as it is', async () => {
  const identity = ann('other');
  assert.is((await known()).complete(identity), identity);
  assert.is((await known(undefined)).complete(identity), identity);
});

test('a frozen identity is completed once, until the roles change', async () => {
  const roles = await known();
  const identity = Object.freeze(ann('acme'));
  const completed = roles.complete(identity);
  assert.is(roles.complete(identity), completed);
  assert.is.not(roles.complete(ann('acme')), roles.complete(ann('acme')));
  await roles.refresh();
  assert.is.not(roles.complete(identity), completed);
});

test('only a new version replaces the copy, and a failed refresh keeps it', async () => {
  const answers: (() => StoredRoles | undefined)[] = [
    () => stored,
    () => undefined,
    () => {
      throw new RangeError('away');
    },
    () => ({ ...stored, version: '2', assignments: [] }),
  ];
  const versions: (string | undefined)[] = [];
  const copy = new KnownRoles(async (version) => {
    versions.push(version);
    return answers.shift()?.();
  });
  const held = () => rightsOf(copy.complete(ann('acme')))[0];
  await copy.refresh();
  await copy.refresh();
  await copy.refresh().catch(() => undefined);
  assert.is(held(), 'clerk');
  await copy.refresh();
  assert.equal([held(), versions], ['', [undefined, '1', '1', '1']]);
});
