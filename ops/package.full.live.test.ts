import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { publint } from 'publint';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { removeHome } from '../runtime/database/embedded/server-home.js';
import { temporaryFolder } from '../runtime/kit/temporary-folder.js';
import { withDatabase } from '../runtime/kit/database.js';
import { createOrder, orderIdIn } from './testing/order-load.js';
import { install, pack, type PackedPackage, repository, writeFiles } from './testing/packed-package.js';
import { listeningTo, startProgram } from './testing/spawned-host.js';

const test = suite('the package');

/** Packed and installed once: an install takes as long as all the rest. */
let folder: string;
let packed: PackedPackage;
let developing: Project;
let running: Project;

interface Project {
  readonly dir: string;
  readonly warnings: string;
}

test.before(async () => {
  folder = await temporaryFolder();
  packed = pack(folder);
  const tools = ['typescript@5.9.3', '@ts-morph/common@0.29.0'];
  developing = await installed('consumer', { ...consumer, ...entryPoints, ...contractSuites }, tools);
  running = await installed('my orders ä 注文', built, ['--omit=dev']);
});

test.after(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

const consumer = {
  'package.json': JSON.stringify({
    name: 'consumer',
    type: 'module',
    main: 'dist/main.js',
    version: '1.2.3',
  }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      module: 'NodeNext',
      strict: true,
      noUnusedLocals: true,
      exactOptionalPropertyTypes: true,
      outDir: 'dist',
      rootDir: 'src',
      lib: ['ES2023', 'DOM'],
      types: [],
      skipLibCheck: true,
    },
    include: ['src'],
  }),
  'src/greet.ts': `
import { Command, CommandEndpoint, type Receptor } from 'svc-runtime';
@CommandEndpoint<Greet, { text: string }>({ restRoute: '/greet', graphQLMutation: 'greet' })
export class Greet extends Command {
  /** @minLength 1 */
  name!: string;
}
export class GreetReceptor implements Receptor<Greet, { text: string }> {
  handle({ name }: Greet) { return { text: 'Hello ' + name }; }
}`,
  'src/main.ts': `
import type { ServiceDefinition } from 'svc-runtime';
import { create } from './generated/registry.js';
export default { name: 'greetings', create: (dispatcher) => create(dispatcher) } satisfies ServiceDefinition;`,
  'src/call.ts': `
import { Client, ProblemError } from './generated/client.js';
declare const process: { argv: string[] };
const client = new Client({ baseUrl: process.argv[2] ?? '' });
const { text } = await client.greet({ name: 'Ada' }, { idempotencyKey: 'once' });
const code = await client.greet({ name: '' }).then(() => 'no problem', (error: unknown) => error instanceof ProblemError ? error.code : String(error));
console.log(JSON.stringify({ text, code }));`,
};

/** Every entry point, type-checked as in a current Node.js project: missing types are errors here. */
const entryPoints = {
  'entries/tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      module: 'NodeNext',
      strict: true,
      lib: ['ES2023'],
      types: ['node'],
      skipLibCheck: false,
      noEmit: true,
    },
  }),
  'entries/all.ts': ['', '/contracts', '/runtime', '/actors', '/endpoints', '/ops', '/testing']
    .map((entry, index) => `export * as entry${index} from 'svc-runtime${entry}';\n`)
    .join(''),
};

const contractSuites = {
  'contracts.test.mjs': `
import { describe, test } from 'node:test';
import { InProcessTransport } from 'svc-runtime/runtime';
import * as kit from 'svc-runtime/testing';
describe('a store', () => kit.eventStoreContract(test, (body) => body(new kit.InMemoryEventStore())));
describe('a transport', () => kit.transportContract(test, (body) => body(new InProcessTransport())));
describe('a store that forgets', () => {
  class Forgetful extends kit.InMemoryEventStore { lastPosition = async () => 0; }
  kit.eventStoreContract(test, (body) => body(new Forgetful()));
});`,
};

/** A service built elsewhere, with the development tools that the README names. */
const built = {
  'package.json': JSON.stringify({
    name: 'orders',
    version: '1.0.0',
    type: 'module',
    main: 'dist/main.js',
    devDependencies: { '@ts-morph/common': '0.29.0', typescript: '5.9.3' },
  }),
};

async function installed(
  name: string,
  files: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Project> {
  const dir = join(folder, name);
  await writeFiles(dir, files);
  return { dir, warnings: install(dir, '--ignore-scripts', packed.tarball, ...args) };
}

const run = (cwd: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, [...args], { cwd, encoding: 'utf8' });

const svcIn = (dir: string): string => join(dir, 'node_modules/.bin/svc');

const startIn = (dir: string, env: Readonly<Record<string, string>>) =>
  startProgram(process.execPath, [svcIn(dir), 'start', dir], env);

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

test('it installs without a warning about an engine, a peer or a deprecation', () => {
  for (const { warnings } of [developing, running])
    assert.not.match(warnings, /exited with|EBADENGINE|ERESOLVE|deprecated/);
});

test('a project that installs it generates, compiles with TypeScript 5.9 and 7.0, starts, and is called by its client', async () => {
  const { dir } = developing;
  run(dir, svcIn(dir), 'generate');
  run(dir, 'node_modules/typescript/bin/tsc', '-p', '.', '--noEmit');
  run(dir, typescript, '-p', '.');
  await withDatabase(async (databaseUrl) => {
    await listeningTo(startIn(dir, { DATABASE_URL: databaseUrl }), async (host) => {
      assert.equal(JSON.parse(run(dir, 'dist/call.js', host.url)), {
        text: 'Hello Ada',
        code: 'invalid-command',
      });
      assert.equal(await host.kill('SIGTERM'), { code: 0, signal: null });
    });
  });
});

const typescript = join(repository, 'node_modules/typescript/bin/tsc');

test('its types need no other package, even without skipLibCheck', () => {
  run(developing.dir, typescript, '-p', 'entries');
});

test('its contract suites run under node:test, and detect a store that breaks the contract', () => {
  const args = ['--test', '--test-reporter=tap', 'contracts.test.mjs'];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = spawnSync(process.execPath, args, { cwd: developing.dir, env, encoding: 'utf8' });
  const results = stdout.split('\n').filter((line) => /^ {4}(?:not )?ok /.test(line));
  assert.ok(results.length > 100, stdout);
  assert.match(stdout, /^ok 1 - a store$/m);
  assert.match(stdout, /^ok 2 - a transport$/m);
  assert.match(stdout, /^not ok 3 - a store that forgets$/m);
  assert.match(stdout, / not ok \d+ - the last position of a stream is the number of its events$/m);
});

test('installed with --omit=dev --ignore-scripts, in a folder of any name, a built service starts, on its embedded PostgreSQL', async () => {
  const { dir } = running;
  const dataDir = join(dir, '.svc');
  await cp(join(repository, 'examples/orders/dist'), join(dir, 'dist'), { recursive: true });
  const tree = await readFile(join(dir, 'node_modules/.package-lock.json'), 'utf8');
  assert.not.match(tree, /"node_modules\/(?:uvu|@ts-morph\/common|amqplib|typescript)"/);
  try {
    await listeningTo(startIn(dir, { SVC_DATA_DIR: dataDir }), async (host) => {
      assert.ok(orderIdIn(await createOrder(host.url)));
      assert.equal(await host.kill('SIGTERM'), { code: 0, signal: null });
    });
  } finally {
    await removeHome(dataDir);
  }
});

test('what runs a service weighs at most 105 MB, the server of PostgreSQL included', () => {
  const found = execFileSync('du', ['-sk', '--apparent-size', join(running.dir, 'node_modules')], {
    encoding: 'utf8',
  });
  assert.ok(parseInt(found, 10) <= 105 * 1_000, found);
});

test('every entry point can be required from CommonJS, and its classes are those of the ES module', () => {
  const script = `
    const names = ['', '/contracts', '/runtime', '/actors', '/endpoints', '/ops', '/testing'];
    const { Problem } = require('svc-runtime');
    import('svc-runtime/contracts').then((contracts) => console.log(
      names.every((name) => Object.keys(require('svc-runtime' + name)).length > 0), contracts.Problem === Problem));`;
  assert.is(run(running.dir, '--input-type=commonjs', '--eval', script), 'true true\n');
});

test('a missing package is reported on one line, with the command that installs it', async () => {
  const { dir } = running;
  const generate = spawnSync(process.execPath, [svcIn(dir), 'generate'], { cwd: dir, encoding: 'utf8' });
  assert.is(generate.status, 1);
  assert.is(
    generate.stderr,
    'svc: svc generate needs @ts-morph/common, which is not installed. Run `npm install --save-dev --include=dev @ts-morph/common@0.29.0`.\n',
  );
  await mkdir(join(dir, 'migrations'));
  await writeFile(join(dir, 'migrations/1.sql'), 'SELECT 1');
  const check = spawnSync(process.execPath, [svcIn(dir), 'check', 'migrations'], {
    cwd: dir,
    encoding: 'utf8',
  });
  assert.is(
    check.stderr,
    'svc: svc check migrations needs libpg-query, which is not installed. Run `npm install --save-dev --include=dev libpg-query@18.1.5`.\n',
  );
  const script = `
    import { addAmqpBrokerHealthChecks, addService } from 'svc-runtime';
    try { addService().with(addAmqpBrokerHealthChecks('amqp://localhost')); } catch ({ message }) { console.log(message); }`;
  assert.is(run(dir, '--input-type=module', '--eval', script), `${amqplibIsMissing}\n`);
});

test('a host without the AMQP client exits before it connects to its database', () => {
  const { dir } = running;
  const env = { ...process.env, AMQP_URL: 'amqp://localhost', DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  const start = spawnSync(process.execPath, [svcIn(dir), 'start', dir], { env, encoding: 'utf8' });
  assert.is(start.status, 1);
  assert.is(start.stderr, `svc: ${amqplibIsMissing}\n`);
});

const amqplibIsMissing =
  'The check of an AMQP broker needs amqplib, which is not installed. Run `npm install amqplib@2.3.1`.';
