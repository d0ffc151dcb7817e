import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { readdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { publint } from 'publint';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { temporaryFolder } from '../runtime/kit/temporary-folder.js';
import { pack, type PackedPackage, repository } from './testing/packed-package.js';

const test = suite('the package');

let folder: string;
let packed: PackedPackage;

test.before(async () => {
  folder = await temporaryFolder();
  packed = pack(folder);
});

test.after(() => rm(folder, { recursive: true, force: true }));

test('it contains entry points, chunks, their source maps and declarations, pages, and what a service is made from', () => {
  const isBuilt = (path: string) => /^dist\/.*\.(?:js|js\.map|d\.ts)$/.test(path);
  const isOfTests = (path: string) =>
    /^dist\/(?:.*\.test\.|.*\/(?:bench|chaos|conformance|docs|test|untrusted-input)\/)/.test(path) &&
    !path.includes('routes/docs/');
  assert.equal(packed.files.filter(isOfTests), []);
  const pages = packed.files
    .filter((path) => path.endsWith('/index.html'))
    .map((path) => posix.dirname(path));
  assert.is(pages.length, 5);
  const files = packed.files.filter((path) => !pages.includes(posix.dirname(path)));
  const scripts = files.filter((path) => /^dist\/.*\.js$/.test(path));
  assert.equal(
    scripts.filter((path) => !files.includes(`${path}.map`)),
    [],
  );
  const isForNewServices = (path: string) =>
    /^(?:ops\/create\/template|examples\/(?:orders|helpdesk\/webhooks))\//.test(path);
  const sources = files.filter(isForNewServices);
  for (const name of [
    'ops/create/template/src/main.ts',
    'examples/orders/main.ts',
    'examples/orders/README.md',
    'examples/helpdesk/webhooks/commands.ts',
  ])
    assert.ok(sources.includes(name), name);
  assert.equal(
    sources.filter((path) => /\/(?:generated|dist)\//.test(path)),
    [],
  );
  assert.equal(files.filter((path) => !isBuilt(path) && !isForNewServices(path)).toSorted(), [
    'LICENSE',
    'README.md',
    'dist/docs.txt.br',
    'ops/Dockerfile',
    'ops/Dockerfile.dockerignore',
    'ops/compose.yaml',
    ...below('ops/compose'),
    'ops/grafana/alerts.yml',
    'ops/grafana/dashboard.json',
    'ops/haproxy/haproxy.cfg',
    ...below('ops/kubernetes'),
    'ops/systemd/svc-deployed.service',
    'ops/systemd/svc.service',
    'ops/systemd/svc@.service',
    'package.json',
  ]);
});

/** Every file of a folder of the repository, as git sorts them. */
const below = (room: string): readonly string[] =>
  readdirSync(join(repository, room), { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(entry.parentPath, entry.name).slice(join(repository, '/').length))
    .toSorted();

test('publint and “Are the types wrong?” find nothing wrong with it as a package of ES modules', async () => {
  const tarball = new Uint8Array(await readFile(packed.tarball));
  const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  assert.equal(messages, []);
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  assert.ok(analysis.types);
  const notForUs = ['node10', 'node16-cjs'];
  const problems = analysis.problems.filter(
    (problem) => !('resolutionKind' in problem && notForUs.includes(problem.resolutionKind)),
  );
  assert.equal(problems, []);
});
