import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { exists } from './files.js';
import { openHome, removeHome } from './home.js';
import { withFolder } from './temporary-folder.js';

const test = suite('home');

test('the database lives in the data folder, which is made if it is missing', () =>
  withFolder(async (folder) => {
    const home = await openHome(join(folder, 'deep', '.svc'));
    assert.is(home.folder, join(folder, 'deep', '.svc', 'postgres'));
    assert.is(home.cluster, join(home.folder, 'cluster'));
    assert.is((await stat(home.folder)).mode & 0o777, home.account ? 0o755 : 0o700);
  }));

test('a data folder says where its database is if that is elsewhere', () =>
  withFolder(async (folder) => {
    await mkdir(join(folder, 'elsewhere'));
    await writeFile(join(folder, 'postgres.location'), join(folder, 'elsewhere'));
    assert.is((await openHome(folder)).folder, join(folder, 'elsewhere'));
  }));

test('a database that is gone from elsewhere is a problem, not a new empty database', () =>
  withFolder(async (folder) => {
    await writeFile(join(folder, 'postgres.location'), join(folder, 'elsewhere'));
    const problem = await openHome(folder).catch((error: unknown) => error);
    assert.instance(problem, Problem);
    assert.match((problem as Problem).message, 'which is gone');
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

  test('under root many who open a new data folder at once agree on where its database is', () =>
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

test.run();
