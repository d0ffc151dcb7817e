import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import {
  accountOf,
  ancestors,
  canTraverse,
  openHome,
  pickAccount,
  canReach,
  removeHome,
  unprivilegedAccount,
} from './server-home.js';
import { exists } from './operating-system.js';
import { withFolder } from '../../kit/temporary-folder.js';

const test = suite('server home');

test('the database lives in the data folder, which is created if it is missing', () =>
  withFolder(async (folder) => {
    const home = await openHome(join(folder, 'deep', '.svc'));
    assert.is(home.folder, join(folder, 'deep', '.svc', 'postgres'));
    assert.is(home.cluster, join(home.folder, 'cluster'));
    assert.is((await stat(home.folder)).mode & 0o777, home.account ? 0o755 : 0o700);
  }));

test('a data folder records where its database is if that is elsewhere', () =>
  withFolder(async (folder) => {
    await mkdir(join(folder, 'elsewhere'));
    await writeFile(join(folder, 'postgres.location'), join(folder, 'elsewhere'));
    assert.is((await openHome(folder)).folder, join(folder, 'elsewhere'));
  }));

test('a missing database elsewhere is a problem, not a new empty database', () =>
  withFolder(async (folder) => {
    await writeFile(join(folder, 'postgres.location'), join(folder, 'elsewhere'));
    const problem = await openHome(folder).catch((error: unknown) => error);
    assert.instance(problem, Problem);
    assert.match((problem as Problem).message, 'which does not exist');
  }));

test('removing a data folder removes its database, wherever that is', () =>
  withFolder(async (folder) => {
    const [dataDir, elsewhere] = [join(folder, '.svc'), join(folder, 'elsewhere')];
    await Promise.all([mkdir(dataDir), mkdir(elsewhere)]);
    await writeFile(join(dataDir, 'postgres.location'), elsewhere);
    await removeHome(dataDir);
    assert.not(await exists(dataDir));
    assert.not(await exists(elsewhere));
  }));

if (process.getuid?.() === 0) {
  const inPrivate = (body: (dataDir: string) => Promise<void>) =>
    withFolder(async (folder) => {
      const dataDir = join(folder, 'private', '.svc');
      await mkdir(join(folder, 'private'), { mode: 0o700 });
      try {
        await body(dataDir);
      } finally {
        await removeHome(dataDir);
      }
    });

  test('under root a database moves out of a folder that only root can enter, and is found again', () =>
    inPrivate(async (dataDir) => {
      const home = await openHome(dataDir);
      assert.not(home.folder.startsWith(dataDir));
      assert.is(await readFile(join(dataDir, 'postgres.location'), 'utf8'), home.folder);
      assert.is((await openHome(dataDir)).folder, home.folder);
    }));

  test('under root concurrent openers of a new data folder agree on where its database is', () =>
    inPrivate(async (dataDir) => {
      const homes = await Promise.all(Array.from({ length: 10 }, () => openHome(dataDir)));
      assert.is(new Set(homes.map(({ folder }) => folder)).size, 1);
    }));

  test('under root a new data folder in the place of a removed one gets a new database', () =>
    inPrivate(async (dataDir) => {
      const before = await openHome(dataDir);
      await rm(dataDir, { recursive: true });
      assert.is.not((await openHome(dataDir)).folder, before.folder);
      await rm(before.folder, { recursive: true });
    }));
}

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

test('a user other than root runs the server as that user', async () => {
  const account = await unprivilegedAccount();
  assert.is(account === undefined, process.getuid?.() !== 0);
});

test('a cluster that does not exist yet is for the unprivileged account that root uses', () =>
  withFolder(async (folder) => {
    assert.equal(await accountOf(`${folder}/cluster`, { uid: 101, gid: 104 }), { uid: 101, gid: 104 });
    assert.is(await accountOf(folder, undefined), undefined);
  }));

const server = { uid: 101, gid: 104 };

test('a folder that others may enter can be traversed', () => {
  assert.ok(canTraverse(server, { uid: 0, gid: 0, mode: 0o755 }));
  assert.ok(canTraverse(server, { uid: 0, gid: 0, mode: 0o711 }));
  assert.not(canTraverse(server, { uid: 0, gid: 0, mode: 0o754 }));
});

test('a private folder can be traversed by its owner and its group', () => {
  assert.ok(canTraverse(server, { uid: 101, gid: 0, mode: 0o700 }));
  assert.ok(canTraverse(server, { uid: 0, gid: 104, mode: 0o710 }));
});

test('an owner without access is not treated as one of the others', () => {
  assert.not(canTraverse(server, { uid: 101, gid: 0, mode: 0o077 }));
});

test('one private folder on the path makes it unreachable', () =>
  withFolder(async (folder) => {
    const inner = join(folder, 'private', 'open');
    await mkdir(inner, { recursive: true });
    const stranger = { uid: 4_000_000, gid: 4_000_000 };
    assert.ok(await canReach(stranger, inner));
    await chmod(join(folder, 'private'), 0o700);
    assert.not(await canReach(stranger, inner));
    assert.ok(await canReach(undefined, inner));
  }));

test('the path to a folder starts at the root', () => {
  assert.equal(ancestors('/srv/orders/.svc'), ['/', '/srv', '/srv/orders', '/srv/orders/.svc']);
});
