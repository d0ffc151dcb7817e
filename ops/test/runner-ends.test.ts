import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { runRunner, spawnRunner } from './spawned-runner.js';

const test = suite('runner-ends');

test('A process a test leaves behind ends with its file', () =>
  withFolder(async (directory) => {
    const socket = join(directory, 'server.sock');
    const { code } = await runRunner(['left-behind.test.js'], { FIXTURE_SOCKET: socket });
    assert.is(code, 0);
    assert.is(await isListening(socket), false);
  }));

for (const hangs of ['0', '1'])
  test(`Nothing that a file left is there after ${hangs === '1' ? 'an interrupt' : 'the run'}: no folder, no server of its own`, () =>
    withFolder(async (directory) => {
      const note = join(directory, 'left');
      const runner = spawnRunner(['left-in-folder.test.js'], { FIXTURE_LEFT: note, FIXTURE_HANGS: hangs });
      const { folder, pid } = JSON.parse(await contentOf(note, /\}$/)) as { folder: string; pid: number };
      if (hangs === '1') runner.kill('SIGINT');
      assert.is((await runner.outcome).code, Number(hangs));
      assert.not.ok(existsSync(folder));
      // It may take a moment until the system has forgotten it.
      await until(() => !isAlive(pid));
    }));

test('An interrupt kills the running files and fails', () =>
  withFolder(async (directory) => {
    const pidFile = join(directory, 'pid');
    const runner = spawnRunner(['hang.test.js'], { FIXTURE_PID_FILE: pidFile });
    const pid = await contentOf(pidFile, /^\d+$/);
    runner.kill('SIGINT');

    const { code, output, closingLine } = await runner.outcome;
    assert.match(output, 'was interrupted before its tests had finished');
    assert.is(closingLine, '0 passed, 1 failed');
    assert.is(code, 1);
    assert.throws(() => process.kill(Number(pid), 0), /ESRCH/);
  }));

test('A second interrupt does not keep the runner from ending in order', () =>
  withFolder(async (directory) => {
    const pidFile = join(directory, 'pid');
    const runner = spawnRunner(['busy-loop.test.js'], { FIXTURE_PID_FILE: pidFile });
    const pid = await contentOf(pidFile, /^\d+$/);
    runner.kill('SIGINT');
    await delay(200);
    runner.kill('SIGINT');

    const { code, closingLine } = await runner.outcome;
    assert.equal([code, closingLine], [1, '0 passed, 1 failed']);
    assert.throws(() => process.kill(Number(pid), 0), /ESRCH/);
  }));

test('A file whose runner was killed ends at its next report', () =>
  withFolder(async (directory) => {
    const pidFile = join(directory, 'pid');
    const runner = spawnRunner(['hang.test.js'], { FIXTURE_PID_FILE: pidFile });
    await contentOf(pidFile, /^\d+$/);
    runner.kill('SIGKILL');
    assert.is(await contentOf(pidFile, /^gone$/), 'gone');
  }));

async function contentOf(file: string, expected: RegExp): Promise<string> {
  const content = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (expected.test(content)) return content;
  await delay(20);
  return contentOf(file, expected);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(true));
    socket.once('error', () => resolve(false));
  });
}
