import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { removeHome } from '../../runtime/database/embedded/server-home.js';
import { temporaryFolder } from '../../runtime/kit/temporary-folder.js';
import { npmEnvironment } from '../../runtime/testing/npm-environment.js';
import { install, pack, type PackedPackage, repository } from '../testing/packed-package.js';
import { listeningTo, startProgram } from '../testing/spawned-host.js';

const test = suite('create-svc-runtime');

let folder: string;
let packed: PackedPackage;

test.before(async () => {
  folder = await temporaryFolder();
  packed = pack(folder, join(repository, 'ops/create'));
});

test.after(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

const npm = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('npm', [...args], {
    cwd,
    env: npmEnvironment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** What `npm create svc-runtime@latest <dir>` runs, without a registry. */
const create = (...args: readonly string[]): string =>
  npm(folder, 'exec', '--offline', '--yes', '--package', packed.tarball, '--', 'create-svc-runtime', ...args);

test('it holds its program and the template', () => {
  const files = packed.files.filter((path) => !path.startsWith('template/'));
  assert.equal(files.toSorted(), ['README.md', 'dist/create.js', 'dist/main.js', 'package.json']);
  assert.ok(packed.files.includes('template/src/main.ts'));
});

test('it needs nothing but one folder that is new', () => {
  assert.match(create('--help'), /^npm create svc-runtime@latest <dir>$/m);
  create('shelf');
  for (const [args, reason] of [
    [[], 'Name one folder: npm create svc-runtime@latest <dir>.'],
    [['shelf'], 'shelf is not empty; name a new folder.'],
    [['My Shelf'], "'My Shelf' cannot name a service"],
  ] as const) {
    assert.throws(
      () => create(...args),
      (error: { readonly stderr: string }) => error.stderr.includes(`create-svc-runtime: ${reason}`),
    );
  }
});

test('what it creates installs the packed runtime, starts, stores, is read, and passes its tests', async () => {
  create('library');
  const dir = join(folder, 'library');
  assert.not.match(
    install(dir, pack(folder).tarball),
    /exited with|EBADENGINE|ERESOLVE|deprecated|install-scripts/,
  );
  const dataDir = join(dir, '.svc');
  const env = { SVC_DATA_DIR: dataDir };
  try {
    await listeningTo(startProgram('npm', ['--prefix', dir, 'start', '-s'], env), async (host) => {
      const loans = `${host.url}/loans`;
      const body = JSON.stringify({ bookId: '018f0000-0000-7000-8000-000000000001', reader: 'Ada' });
      const headers = { 'content-type': 'application/json', prefer: 'wait=20' };
      assert.is((await fetch(loans, { method: 'POST', headers, body })).status, 200);
      const { data } = (await (await fetch(loans)).json()) as { readonly data: readonly object[] };
      assert.equal(
        data.map((row) => 'reader' in row && row.reader),
        ['Ada'],
      );
      assert.equal(await host.kill('SIGTERM'), { code: 0, signal: null });
    });
  } finally {
    await removeHome(dataDir);
  }
  await writeFile(join(dir, 'dist/of-a-deleted-source.test.js'), "throw 'still there';");
  assert.match(npm(dir, 'test', '-s', '--', '--test-reporter=tap'), /^# pass 2\n# fail 0$/m);
});
