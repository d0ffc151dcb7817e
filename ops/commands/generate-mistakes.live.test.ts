import { suite } from '../../contracts/testing/suite.js';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { withSources } from '../../endpoints/testing/source-tree.js';
import { svc as spawned } from '../testing/spawned-host.js';
import { svc, command } from '../testing/ping-sources.js';

const test = suite('mistakes that svc generate reports');

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
