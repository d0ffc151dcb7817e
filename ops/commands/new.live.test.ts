import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { repository } from '../testing/packed-package.js';
import { runVerbInProcess } from '../testing/in-process-cli.js';
import { newVerb } from './new.js';

const test = suite('svc new');

const svcNew = (...args: readonly string[]) => runVerbInProcess(newVerb, args);

const manifestAt = (path: string) =>
  JSON.parse(readFileSync(join(repository, path), 'utf8')) as {
    readonly version: string;
    readonly dependencies: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  };

test('a new service is named after its folder, and svc says how to start it', () =>
  withFolder(async (folder) => {
    const dir = join(folder, 'car-park');
    const { status, stdout, stderr } = await svcNew(dir);
    assert.equal([status, stdout], [0, '']);
    assert.is(stderr, `Created car-park.\n\n  cd ${dir}\n  npm install\n  npm run dev\n\n`);
    const files = await readdir(dir, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.path, file.name), 'utf8')),
    );
    assert.not.match(texts.join('\n'), /my-service/);
    assert.match(await readFile(join(dir, 'package.json'), 'utf8'), /"name": "car-park"/);
    assert.match(await readFile(join(dir, '.gitignore'), 'utf8'), /^node_modules\/$/m);
  }));

test('--json reports the name and the folder', () =>
  withFolder(async (folder) => {
    const dir = join(folder, 'car-park');
    assert.equal(JSON.parse((await svcNew(dir, '--json')).stdout), { name: 'car-park', folder: dir });
  }));

test('a folder that holds something is refused and left as it was', () =>
  withFolder(async (folder) => {
    const dir = join(folder, 'car-park');
    await mkdir(dir);
    await writeFile(join(dir, 'notes.txt'), 'mine');
    const { status, stderr } = await svcNew(dir);
    assert.equal([status, stderr], [1, `svc: ${dir} is not empty; name a new folder.\n`]);
    assert.equal(await readdir(dir), ['notes.txt']);
    assert.is(
      (await svcNew(join(dir, 'notes.txt'))).stderr,
      `svc: 'notes.txt' cannot name a service; use lower-case letters, digits and hyphens, such as my-service.\n`,
    );
  }));

test('an empty folder is taken, and so is one with a repository in it', () =>
  withFolder(async (folder) => {
    await mkdir(join(folder, 'car-park', '.git'), { recursive: true });
    assert.is((await svcNew(join(folder, 'car-park'))).status, 0);
  }));

test('a link to an empty folder is followed; one to nothing is refused in one line', () =>
  withFolder(async (folder) => {
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(folder, 'car-park'));
    assert.is((await svcNew(join(folder, 'car-park'))).status, 0);
    assert.ok((await readdir(join(folder, 'elsewhere'))).includes('.gitignore'));
    const lost = join(folder, 'lost');
    await symlink(join(folder, 'nothing'), lost);
    const { status, stderr } = await svcNew(lost);
    assert.is(status, 1);
    assert.match(stderr, /^svc: [^\n]*lost cannot be written to \(\w+\); name another folder\.\n$/);
  }));

test('what to type next is quoted for a shell', () =>
  withFolder(async (folder) => {
    const dir = join(folder, 'of "all" $ORTS', 'car-park');
    assert.match(
      (await svcNew(dir)).stderr,
      '\n  cd "' + join(folder, 'of \\"all\\" \\$ORTS', 'car-park') + '"\n',
    );
  }));

for (const name of ['Car Park', 'car_park', '-car', '1car', 'a'.repeat(101)]) {
  test(`'${name.slice(0, 9)}' names no service`, () =>
    withFolder(async (folder) => {
      const { status, stderr } = await svcNew('--', join(folder, name));
      assert.is(status, 1);
      assert.match(stderr, /^svc: '.*' cannot name a service; [^\n]+\n$/);
      assert.equal(await readdir(folder), []);
    }));
}

test('--example starts from the sources of the example', () =>
  withFolder(async (folder) => {
    const dir = join(folder, 'library');
    const { status, stderr } = await svcNew(dir, '--example', 'orders');
    assert.is(status, 0, stderr);
    assert.match(await readFile(join(dir, 'README.md'), 'utf8'), /^# orders$/m);
    const sources = await readdir(join(dir, 'src'));
    assert.ok(sources.includes('create-order.ts') && sources.includes('receptors.test.ts'));
  }));

test('one folder must be named, and an example that exists', async () => {
  assert.is((await svcNew()).stderr, 'svc: Name one folder: svc new <dir>; see svc new --help.\n');
  assert.is(
    (await svcNew('car-park', '--example', 'cars')).stderr,
    "svc: There is no example 'cars'; there is orders; see svc new --help.\n",
  );
});

test('a new service names the versions that this package is built and tested with', () => {
  const ours = manifestAt('package.json');
  const { dependencies, devDependencies } = manifestAt('ops/create/template/package.json');
  assert.equal(dependencies, { 'svc-runtime': ours.version });
  assert.is(manifestAt('ops/create/package.json').version, ours.version);
  const tools = { ...devDependencies, ...manifestAt('examples/orders/package.json').devDependencies };
  for (const [name, version] of Object.entries(tools)) assert.is(version, ours.devDependencies[name], name);
});
