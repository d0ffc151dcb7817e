import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { accountOf, pickAccount, unprivilegedAccount } from './account.js';
import { withFolder } from './temporary-folder.js';

const test = suite('account');
const passwd = [
  'root:x:0:0:root:/root:/bin/bash',
  'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin',
  'postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash',
];

test('root runs the server as the user postgres', () => {
  assert.equal(pickAccount(passwd.join('\n')), { uid: 101, gid: 104 });
});

test('without a user postgres it runs as nobody', () => {
  assert.equal(pickAccount(passwd.slice(0, 2).join('\n')), { uid: 65534, gid: 65534 });
});

test('the server never runs as a user that is root by another name', () => {
  assert.is(pickAccount('postgres:x:0:0::/:/bin/sh\n'), undefined);
  assert.is(pickAccount(''), undefined);
});

test('whoever is not root runs the server as himself', async () => {
  const account = await unprivilegedAccount();
  assert.is(account === undefined, process.getuid?.() !== 0);
});

test('a cluster that does not exist yet is for the account that root lends', () =>
  withFolder(async (folder) => {
    assert.equal(await accountOf(`${folder}/cluster`, { uid: 101, gid: 104 }), { uid: 101, gid: 104 });
    assert.is(await accountOf(folder, undefined), undefined);
  }));

test.run();
