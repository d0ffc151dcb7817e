import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/testing/until.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { repository, withSources } from '../../endpoints/testing/source-tree.js';
import { svc as spawned } from '../testing/spawned-host.js';
import { runVerbInProcess } from '../testing/in-process-cli.js';
import { generate } from './generate.js';

const test = suite('svc generate');

const cli = join(repository, 'dist/ops/cli.js');
const svc = (...args: readonly string[]) => runVerbInProcess(generate, args);

const command = (name: string, more = '') => `
import { Command, CommandEndpoint, type Receptor, type Uuid } from 'svc-runtime';
export class ${name}Request { id!: Uuid; why?: string; }
@CommandEndpoint<${name}, { id: Uuid }>({ restRoute: '/${name.toLowerCase()}', graphQLMutation: 'do${name}'${more} })
export class ${name} extends Command { id!: Uuid; reason?: string; }
export class ${name}Receptor implements Receptor<${name}, { id: Uuid }> {
  handle({ id }: ${name}) { return { id }; }
}
`;

const pinged = `
import { Event, Sensitive, type Uuid } from 'svc-runtime';
export class Pinged extends Event { id!: Uuid; @Sensitive({ subject: 'id' }) email!: string | null; }
`;

test('it writes the files, and writes nothing the second time', () =>
  withSources({ 'ping.ts': command('Ping') }, async (dir) => {
    const first = await svc(dir, '--json');
    assert.is(first.status, 0, first.stderr);
    const { written } = JSON.parse(first.stdout) as { written: string[] };
    assert.ok(written.includes('generated/ping.endpoint.ts') && written.includes('generated/openapi.json'));
    const before = await readFile(join(dir, 'generated/registry.ts'), 'utf8');
    assert.equal(JSON.parse((await svc(dir, '--json')).stdout), { commands: 1, stale: [], written: [] });
    assert.is(await readFile(join(dir, 'generated/registry.ts'), 'utf8'), before);
  }));

test('--check writes nothing and exits with 1 when a file is stale', () =>
  withSources({ 'ping.ts': command('Ping') }, async (dir) => {
    const stale = await svc(dir, '--check');
    assert.is(stale.status, 1);
    assert.match(stale.stderr, /generated\/ping\.endpoint\.ts is stale; run svc generate/);
    assert.not.ok(existsSync(join(dir, 'generated')));
    await svc(dir);
    assert.is((await svc(dir, '--check')).status, 0);
    await writeFile(join(dir, 'ping.ts'), command('Pong'));
    assert.is((await svc(dir, '--check')).status, 1);
  }));

test('a command that names a value of a subject without hiding it is a warning: its audit keeps the value', () =>
  withSources(
    { 'ping.ts': command('Ping').replace('reason?', 'email?'), 'pinged.ts': pinged },
    async (dir) => {
      const { status, stderr } = await svc(dir);
      assert.is(status, 0, stderr);
      assert.match(
        stderr,
        /^ping\.ts: warning: Pinged\.email has a subject, and the audit keeps Ping\.email as it is/,
      );
      const source = await readFile(join(dir, 'ping.ts'), 'utf8');
      const marked = source
        .replace('email?', '@Sensitive() email?')
        .replace('Command,', 'Command, Sensitive,');
      await writeFile(join(dir, 'ping.ts'), marked);
      assert.not.match((await svc(dir)).stderr, /warning/);
    },
  ));

test('files of a removed command are deleted', () =>
  withSources({ 'ping.ts': command('Ping'), 'pong.ts': command('Pong') }, async (dir) => {
    await svc(dir);
    assert.ok(existsSync(join(dir, 'generated/pong.endpoint.ts')));
    await rm(join(dir, 'pong.ts'));
    assert.is((await svc(dir)).status, 0);
    assert.not.ok(existsSync(join(dir, 'generated/pong.endpoint.ts')));
  }));

test('any error prevents all writing, also for correct commands', () =>
  withSources(
    { 'ping.ts': command('Ping'), 'pong.ts': command('Pong').replace("'/pong'", "'pong'") },
    async (dir) => {
      const { status, stderr } = await svc(dir);
      assert.is(status, 1);
      assert.match(stderr, /pong\.ts\(\d+,\d+\): error SVC1005/);
      assert.is(stderr.trim().split('\n').length, 1, stderr);
      assert.not.ok(existsSync(join(dir, 'generated')));
    },
  ));

test('--stub writes the class to fill in, once', () =>
  withSources({ 'ping.ts': command('Ping', ', requestType: PingRequest') }, async (dir) => {
    assert.match((await svc(dir)).stderr, /SVC1012.*--stub Ping/);
    assert.is((await svc(dir, '--stub', 'Ping')).status, 0);
    assert.match(
      await readFile(join(dir, 'ping.endpoint.ts'), 'utf8'),
      /mapRequestToCommand\(\{ id \}: PingRequest\): Ping/,
    );
    assert.is((await svc(dir)).status, 0);
    assert.match((await svc(dir, '--stub', 'Ping')).stderr, /already exists/);
    assert.match((await svc(dir, '--stub', 'Nobody')).stderr, /There is no command Nobody/);
  }));

for (const [name, files, says] of [
  ['a syntax error', { 'a.ts': 'export class {{{' }, /a\.ts\(1,\d+\): error SVC1021/],
  ['a broken tsconfig', { 'tsconfig.json': '{ "compilerOptions": ' }, /tsconfig\.json/],
  [
    'a tsconfig that extends nothing',
    { 'tsconfig.json': '{ "extends": "./base.json" }', 'a.ts': '' },
    /^svc: .*tsconfig\.json: .*base\.json/,
  ],
  ['a broken package.json', { 'package.json': '{', 'a.ts': command('Ping') }, /^svc: .*package\.json: /],
] as const) {
  test(`${name} is reported on a readable line, with exit code 1`, () =>
    withSources(files, async (dir) => {
      const { code: status, stderr } = await spawned(['generate', dir]);
      assert.is(status, 1);
      assert.match(stderr, says);
      assert.not.match(stderr, /\n\s+at /, 'no stack');
      assert.not.ok(existsSync(join(dir, 'generated')));
    }));
}

test('a file that cannot be read is named', () =>
  withSources({ 'a.ts': command('Ping') }, async (dir) => {
    await mkdir(join(dir, 'b.ts'));
    await writeFile(
      join(dir, 'tsconfig.json'),
      JSON.stringify({
        ...JSON.parse(await readFile(join(dir, 'tsconfig.json'), 'utf8')),
        include: undefined,
        files: ['a.ts', 'b.ts'],
      }),
    );
    const { status, stderr } = await svc(dir);
    assert.is(status, 1);
    assert.match(stderr, /b\.ts\(1,1\): error SVC1026: cannot be read/);
  }));

test('a folder that does not exist is named', async () => {
  const { status, stderr } = await svc('no-such-folder');
  assert.is(status, 1);
  assert.match(stderr, /no-such-folder.*does not exist/);
});

test('--watch ends if there is nothing to watch', () =>
  withSources({ 'tsconfig.json': '{' }, async (dir) => {
    const { status, stderr } = await svc(dir, '--watch');
    assert.is(status, 1);
    assert.match(stderr, /^svc: .*tsconfig\.json: .*\n$/);
  }));

test('--watch generates again after a change', () =>
  withSources({ 'ping.ts': command('Ping') }, async (dir) => {
    const child = spawn(process.execPath, [cli, 'generate', dir, '--watch']);
    try {
      let printed = '';
      child.stderr.on('data', (chunk: Buffer) => (printed += String(chunk)));
      await until(() => /^1 command, /.test(printed));
      // Write until the change is seen: on some systems watching a tree takes a moment to begin.
      const writing = setInterval(() => void writeFile(join(dir, 'pong.ts'), command('Pong')), 200);
      await until(() => /^2 commands, /m.test(printed)).finally(() => clearInterval(writing));
      // The last of these writes may just have been seen halfway.
      await until(() => existsSync(join(dir, 'generated/pong.endpoint.ts')));
    } finally {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }));
