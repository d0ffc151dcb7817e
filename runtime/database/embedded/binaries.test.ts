import { chmod, mkdir, readdir, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isLeftover, prepareBinaries, removeLeftovers } from './binaries.js';
import { unprivilegedAccount } from './account.js';
import { withFolder } from './temporary-folder.js';

const test = suite('binaries');
const link = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' };

async function aPackage(folder: string) {
  const root = join(folder, 'node_modules', 'package');
  for (const name of ['bin', 'lib']) await mkdir(join(root, 'native', name), { recursive: true });
  await writeFile(join(root, 'native', 'bin', 'postgres'), '', { mode: 0o755 });
  await writeFile(join(root, link.source), 'library', { mode: 0o600 });
  await writeFile(join(root, 'native', 'pg-symlinks.json'), JSON.stringify([link]));
  return { root, version: '18.4' };
}

async function aHome(folder: string) {
  const home = join(folder, 'home');
  await mkdir(home);
  return { folder: home, cluster: join(home, 'cluster'), account: await unprivilegedAccount() };
}

test('programs that can be reached are used where npm put them, with their links made', () =>
  withFolder(async (folder) => {
    const found = await aPackage(folder);
    const binaries = await prepareBinaries(found, await aHome(folder));
    assert.ok(binaries.postgres.startsWith(found.root));
    assert.is(await readlink(join(found.root, link.target)), 'libpq.so.5.18');
  }));

test('programs that their account cannot reach, or whose links cannot be made, are used in a copy', () =>
  withFolder(async (folder) => {
    const [found, home] = [await aPackage(folder), await aHome(folder)];
    await chmod(join(found.root, 'native', 'lib'), 0o500);
    await chmod(join(folder, 'node_modules'), 0o700);
    const binaries = await prepareBinaries(found, home);
    const copy = join(home.folder, 'binaries-18.4');
    assert.ok(binaries.postgres.startsWith(copy));
    assert.is((await stat(binaries.postgres)).mode & 0o777, 0o755);
    assert.is((await stat(join(copy, link.target))).mode & 0o777, 0o644);
    assert.equal(await prepareBinaries(found, home), binaries);
    await chmod(join(found.root, 'native', 'lib'), 0o700);
  }));

test('drafts and copies of earlier versions are cleared away', () =>
  withFolder(async (folder) => {
    for (const name of ['new-1', 'binaries-17.9', 'binaries-18.4', 'cluster'])
      await mkdir(join(folder, name));
    await removeLeftovers(folder, { initdb: '', pgCtl: '', postgres: '', version: '18.4' });
    assert.equal((await readdir(folder)).toSorted(), ['binaries-18.4', 'cluster']);
    assert.not(isLeftover('password', '18.4'));
  }));

test.run();
