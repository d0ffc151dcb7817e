import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { removeHome } from '../runtime/database/embedded/server-home.js';
import { sharedIn } from '../runtime/testing/shared-in.js';
import { mustBeQuiet, type Project, run, startIn, svcIn, withProject } from './testing/installed-package.js';
import { createOrder, orderIdIn } from './testing/order-load.js';
import { repository } from './testing/packed-package.js';
import { listeningTo } from './testing/spawned-host.js';

const test = suite('the package where it runs');

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

/** An install takes as long as all the rest. */
const whileInstalled = sharedIn<Project>(test, (use) =>
  withProject('my orders ä 注文', built, ['--omit=dev'], async (project) => {
    await cp(join(repository, 'examples/orders/dist'), join(project.dir, 'dist'), { recursive: true });
    await use(project);
  }),
);

test('it installs without its tools and without a warning about an engine, a peer or a deprecation', () =>
  whileInstalled(async (project) => {
    mustBeQuiet(project);
    const tree = await readFile(join(project.dir, 'node_modules/.package-lock.json'), 'utf8');
    assert.not.match(tree, /"node_modules\/(?:uvu|@ts-morph\/common|amqplib|typescript)"/);
  }));

test('installed with --omit=dev --ignore-scripts, in a folder of any name, a built service starts, on its embedded PostgreSQL', () =>
  whileInstalled(async ({ dir }) => {
    const dataDir = join(dir, '.svc');
    try {
      await listeningTo(startIn(dir, { SVC_DATA_DIR: dataDir }), async (host) => {
        assert.ok(orderIdIn(await createOrder(host.url)));
        assert.equal(await host.kill('SIGTERM'), { code: 0, signal: null });
      });
    } finally {
      await removeHome(dataDir);
    }
  }));

test('what runs a service weighs at most 105 MB, the server of PostgreSQL included', () =>
  whileInstalled(async ({ dir }) => {
    const found = execFileSync('du', ['-sk', '--apparent-size', join(dir, 'node_modules')], {
      encoding: 'utf8',
    });
    assert.ok(parseInt(found, 10) <= 105 * 1_000, found);
  }));

test('every entry point can be required from CommonJS, and its classes are those of the ES module', () =>
  whileInstalled(async ({ dir }) => {
    const script = `
    const names = ['', '/contracts', '/runtime', '/actors', '/endpoints', '/ops', '/testing'];
    const { Problem } = require('svc-runtime');
    import('svc-runtime/contracts').then((contracts) => console.log(
      names.every((name) => Object.keys(require('svc-runtime' + name)).length > 0), contracts.Problem === Problem));`;
    assert.is(run(dir, '--input-type=commonjs', '--eval', script), 'true true\n');
  }));

test('a missing package is reported on one line, with the command that installs it', () =>
  whileInstalled(async ({ dir }) => {
    const svc = (...args: readonly string[]) =>
      spawnSync(process.execPath, [svcIn(dir), ...args], { cwd: dir, encoding: 'utf8' });
    const generate = svc('generate');
    assert.is(generate.status, 1);
    assert.is(
      generate.stderr,
      'svc: svc generate needs @ts-morph/common, which is not installed. Run `npm install --save-dev --include=dev @ts-morph/common@0.29.0`.\n',
    );
    await mkdir(join(dir, 'migrations'));
    await writeFile(join(dir, 'migrations/1.sql'), 'SELECT 1');
    assert.is(
      svc('check', 'migrations').stderr,
      'svc: svc check migrations needs libpg-query, which is not installed. Run `npm install --save-dev --include=dev libpg-query@18.1.5`.\n',
    );
    const script = `
    import { addAmqpBrokerHealthChecks, addService } from 'svc-runtime';
    try { addService().with(addAmqpBrokerHealthChecks('amqp://localhost')); } catch ({ message }) { console.log(message); }`;
    assert.is(run(dir, '--input-type=module', '--eval', script), `${amqplibIsMissing}\n`);
  }));

test('a host without the AMQP client exits before it connects to its database', () =>
  whileInstalled(async ({ dir }) => {
    const env = { ...process.env, AMQP_URL: 'amqp://localhost', DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const start = spawnSync(process.execPath, [svcIn(dir), 'start', dir], { env, encoding: 'utf8' });
    assert.is(start.status, 1);
    assert.is(start.stderr, `svc: ${amqplibIsMissing}\n`);
  }));

const amqplibIsMissing =
  'The check of an AMQP broker needs amqplib, which is not installed. Run `npm install amqplib@2.3.1`.';
