import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { repository, withSources } from '../../endpoints/testing/source-tree.js';
import { svc, command } from '../testing/ping-sources.js';

const test = suite('svc generate --watch');

const cli = join(repository, 'dist/ops/cli.js');

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
