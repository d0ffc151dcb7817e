import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withFolder } from '../../../runtime/kit/temporary-folder.js';
import { Releases } from './releases.js';

const test = suite('releases');

async function application(folder: string, main = 'dist/main.js'): Promise<void> {
  await mkdir(join(folder, 'dist'), { recursive: true });
  await mkdir(join(folder, '.git'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ main }));
  await writeFile(join(folder, 'dist/main.js'), '1');
}

const refusalOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'kept',
    (error: unknown) => (error as Error).message,
  );

test('a revision is a copy: what happens to its source later does not change it', () =>
  withFolder(async (folder) => {
    await application(folder);
    const releases = new Releases(join(folder, 'releases'));
    const { app } = await releases.keep('1.0.0', folder);
    await writeFile(join(folder, 'dist/main.js'), '2');
    assert.is(await readFile(join(app, 'dist/main.js'), 'utf8'), '1');
    assert.equal((await readdir(app)).toSorted(), ['dist', 'package.json']);
    await releases.keep('2.0.0', folder);
    assert.equal(
      (await releases.known()).map(({ revision }) => revision),
      ['2.0.0', '1.0.0'],
    );
    await releases.keep('1.0.0', folder);
    assert.is(await readFile(join(app, 'dist/main.js'), 'utf8'), '2');
    assert.is((await releases.known())[0]?.revision, '1.0.0');
  }));

test('an application whose module lies outside its folder stays where it is', () =>
  withFolder(async (folder) => {
    await application(folder, '../built/main.js');
    const releases = new Releases(join(folder, 'releases'));
    assert.is((await releases.keep('1', folder)).app, folder);
    const file = join(folder, 'dist/main.js');
    assert.is((await releases.keep('2', file)).app, file);
  }));

test('a source that does not exist or is no application is reported on one line', () =>
  withFolder(async (folder) => {
    const releases = new Releases(join(folder, 'releases'));
    assert.is(
      await refusalOf(releases.keep('1', '/nowhere/orders')),
      'There is no application at /nowhere/orders.',
    );
    assert.is(await refusalOf(releases.keep('1', folder)), `${folder} has no package.json.`);
    assert.equal(await releases.known(), []);
  }));

test('the name of a revision cannot leave the folder', () =>
  withFolder(async (folder) => {
    await application(folder);
    const releases = new Releases(join(folder, 'releases'));
    for (const name of ['..', '../1', 'a/b', '', '.', 'a b', 'a\0', 'x'.repeat(65)])
      assert.match(
        await refusalOf(releases.keep(name, folder)),
        /^A revision has a name of up to 64 letters/,
      );
  }));

test('a manifest that is empty or broken is refused in one line, and the others are still listed', () =>
  withFolder(async (folder) => {
    await application(folder);
    const releases = new Releases(join(folder, 'releases'));
    await releases.keep('1.0.0', folder);
    await releases.keep('2.0.0', folder);
    const file = join(releases.folderOf('2.0.0'), 'release.json');
    for (const text of [
      '',
      '{',
      'null',
      '{"revision":"1.0.0","app":"a","keptAt":"b"}',
      '{"revision":"2.0.0"}',
    ]) {
      await writeFile(file, text);
      assert.is(
        await refusalOf(releases.find('2.0.0')),
        `${file} is damaged; remove that folder, then deploy 2.0.0 again.`,
      );
      assert.equal(
        (await releases.known()).map(({ revision }) => revision),
        ['1.0.0'],
      );
    }
  }));

test('a revision cannot have the name of a file of the folder', () =>
  withFolder(async (folder) => {
    await application(folder);
    const releases = new Releases(join(folder, 'releases'));
    for (const name of ['slots.json', 'slots.json.new'])
      assert.is(
        await refusalOf(releases.keep(name, folder)),
        `A revision cannot be called ${name}; name another.`,
      );
  }));

test('a disk that is full and a folder that cannot be written to are named in one line, and the others stay', () =>
  withFolder(async (folder) => {
    await application(folder);
    const releases = new Releases(join(folder, 'releases'));
    await releases.keep('1.0.0', folder);
    await writeFile(join(folder, 'releases/2.0.0'), '');
    await symlink('/dev/full', join(folder, 'releases/1.0.0/release.json.new'));
    for (const [revision, code] of [
      ['2.0.0', 'EEXIST'],
      ['1.0.0', 'ENOSPC'],
    ] as const) {
      const refusal = await refusalOf(releases.keep(revision, folder));
      assert.ok(
        refusal.startsWith(`${join(folder, 'releases', revision)} cannot be written (${code}: `),
        refusal,
      );
      assert.match(refusal, /\); make room, or correct "releases" in deploy\.json or its permissions\.$/);
    }
    assert.is((await releases.find('1.0.0'))?.revision, '1.0.0');
  }));
