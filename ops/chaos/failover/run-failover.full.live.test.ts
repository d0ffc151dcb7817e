import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withFolder } from '../../../runtime/kit/temporary-folder.js';
import { until } from '../../../runtime/kit/until.js';
import { startProgram } from '../../testing/spawned-host.js';

const test = suite('chaos with a failover');

const main = fileURLToPath(new URL('../main.js', import.meta.url));
const limitMs = 900_000;

/** A process of its own: a run ends every process that its process has started. */
const startRun = (folder: string, ...args: string[]) =>
  startProgram(process.execPath, [main, '--failover', '--seed', '11', ...args], { TMPDIR: folder });

test('a lost primary loses, doubles and leaves out nothing, and nothing of the run is left', () =>
  withFolder(async (folder) => {
    const run = startRun(folder, '--rounds', '1', '--only', 'postmaster-killed');
    const { code } = await run.ended;
    assert.is(code, 0, run.output.stderr.join(''));
    const { lost, doubled, unaudited, ghosts, behind, ok } = JSON.parse(run.output.stdout.join('')) as Record<
      string,
      unknown
    >;
    const nothing = { lost: 0, doubled: 0, unaudited: 0, ghosts: 0, behind: 0, ok: true };
    assert.equal({ lost, doubled, unaudited, ghosts, behind, ok }, nothing);
    await nothingIsLeftIn(folder);
  }));

test('a failover to a standby that lags is recorded as a loss', () =>
  withFolder(async (folder) => {
    const run = startRun(folder, '--mode', 'async');
    const { code } = await run.ended;
    assert.is(code, 0, run.output.stderr.join(''));
    const { lost } = JSON.parse(run.output.stdout.join('')) as { readonly lost: number };
    assert.ok(lost > 0);
  }));

test('an interrupted run leaves no process and no file behind', () =>
  withFolder(async (folder) => {
    const run = startRun(folder);
    await until(() => run.output.stderr.join('').includes('three servers'), limitMs);
    const { code } = await run.kill('SIGINT');
    assert.is(code, 130);
    await nothingIsLeftIn(folder);
  }));

async function nothingIsLeftIn(folder: string): Promise<void> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args=']);
  assert.equal(
    stdout.split('\n').filter((line) => line.includes(folder)),
    [],
  );
  assert.equal(await readdir(folder), []);
}
