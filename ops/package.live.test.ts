import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withDatabase } from '../runtime/testing/database.js';

const test = suite('the package');

const root = fileURLToPath(new URL('../../', import.meta.url));

const files = {
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

async function withConsumer(use: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-consumer-'));
  try {
    await mkdir(join(dir, 'src'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
    const npm = (args: readonly string[], cwd: string) =>
      execFileSync('npm', [...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const packed = JSON.parse(
      npm(['pack', '--json', '--ignore-scripts', '--pack-destination', dir], root),
    ) as { filename: string }[];
    npm(
      [
        'install',
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        `./${packed[0]?.filename ?? ''}`,
        'typescript@5.9.3',
      ],
      dir,
    );
    await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const run = (dir: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, [...args], { cwd: dir, encoding: 'utf8' });

async function listening(dir: string, databaseUrl: string) {
  const env = { ...process.env, DATABASE_URL: databaseUrl, SVC_PORT: '0', SVC_TEST_DATABASE_URL: '' };
  const host = spawn(process.execPath, ['node_modules/.bin/svc', 'start', '.'], {
    cwd: dir,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: host.stdout })) {
    const { msg, url } = JSON.parse(line) as { msg: string; url?: string };
    if (msg === 'listening') return { host, url: url ?? '' };
  }
  throw new Error('the host ended before it listened');
}

test('a project that installs it generates, compiles with TypeScript 5.9 and 7.0, starts, and is called by its client', () =>
  withConsumer(async (dir) => {
    run(dir, 'node_modules/.bin/svc', 'generate');
    run(dir, 'node_modules/typescript/bin/tsc', '-p', '.', '--noEmit');
    run(dir, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.');
    await withDatabase(async (databaseUrl) => {
      const { host, url } = await listening(dir, databaseUrl);
      try {
        assert.equal(JSON.parse(run(dir, 'dist/call.js', url)), {
          text: 'Hello Ada',
          code: 'invalid-command',
        });
      } finally {
        host.kill('SIGTERM');
        await once(host, 'exit');
      }
      assert.is(host.exitCode, 0);
    });
  }));

test.run();
