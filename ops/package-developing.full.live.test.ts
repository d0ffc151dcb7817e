import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { withDatabase } from '../runtime/kit/database.js';
import { sharedIn } from '../runtime/testing/shared-in.js';
import { mustBeQuiet, type Project, run, startIn, svcIn, withProject } from './testing/installed-package.js';
import { repository } from './testing/packed-package.js';
import { listeningTo } from './testing/spawned-host.js';

const test = suite('the package in a project that uses it');

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

const tools = ['typescript@5.9.3', '@ts-morph/common@0.29.0'];

/** An install takes as long as all the rest. */
const whileInstalled = sharedIn<Project>(test, (use) =>
  withProject('consumer', { ...consumer, ...entryPoints, ...contractSuites }, tools, use),
);

const typescript = join(repository, 'node_modules/typescript/bin/tsc');

test('it installs with its tools without a warning about an engine, a peer or a deprecation', () =>
  whileInstalled(async (project) => mustBeQuiet(project)));

test('a project that installs it generates, compiles with TypeScript 5.9 and 7.0, starts, and is called by its client', () =>
  whileInstalled(async ({ dir }) => {
    run(dir, svcIn(dir), 'generate');
    run(dir, 'node_modules/typescript/bin/tsc', '-p', '.', '--noEmit');
    run(dir, typescript, '-p', '.');
    await withDatabase((databaseUrl) =>
      listeningTo(startIn(dir, { DATABASE_URL: databaseUrl }), async (host) => {
        assert.equal(JSON.parse(run(dir, 'dist/call.js', host.url)), {
          text: 'Hello Ada',
          code: 'invalid-command',
        });
        assert.equal(await host.kill('SIGTERM'), { code: 0, signal: null });
      }),
    );
  }));

test('its types need no other package, even without skipLibCheck', () =>
  whileInstalled(async ({ dir }) => void run(dir, typescript, '-p', 'entries')));

test('its contract suites run under node:test, and detect a store that breaks the contract', () =>
  whileInstalled(async ({ dir }) => {
    const args = ['--test', '--test-reporter=tap', 'contracts.test.mjs'];
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { stdout } = spawnSync(process.execPath, args, { cwd: dir, env, encoding: 'utf8' });
    const results = stdout.split('\n').filter((line) => /^ {4}(?:not )?ok /.test(line));
    assert.ok(results.length > 100, stdout);
    assert.match(stdout, /^ok 1 - a store$/m);
    assert.match(stdout, /^ok 2 - a transport$/m);
    assert.match(stdout, /^not ok 3 - a store that forgets$/m);
    assert.match(stdout, / not ok \d+ - the last position of a stream is the number of its events$/m);
  }));
