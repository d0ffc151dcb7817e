import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findProcess, isAlive, parsePs, parseStat } from './live-process.js';

const test = suite('live process');

test('a process is known by its pid and its birth', async () => {
  const found = await findProcess(process.pid);
  assert.is(found?.pid, process.pid);
  assert.ok(await isAlive({ pid: process.pid, born: found?.born ?? '' }));
});

test('a process that only got the pid of another is not that other', async () => {
  assert.not(await isAlive({ pid: process.pid, born: 'long ago' }));
});

test('a process that has ended is not found', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  assert.is(await findProcess(child.pid ?? 0), undefined);
});

test('the name of a program may hold blanks and brackets', () => {
  const stat = '4743 (a (b) c) S 1 4743 4743 0 -1 4194304 4046 265 0 0 0 1 0 0 20 0 1 0 98383 226938880';
  assert.equal(parseStat(stat), { ended: false, startTicks: '98383' });
});

test('a process that waits to be reaped has ended', () => {
  assert.ok(parseStat('17 (postgres) Z 1 17 17 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 98383 0').ended);
  assert.is(parsePs('Z    Sun Nov 15 02:38:24 2026 (postgres)'), undefined);
});

test('elsewhere than on Linux the birth comes from ps', () => {
  assert.equal(parsePs('Ss   Sun Nov  1 02:38:24 2026 /opt/bin/postgres -D /data -c port=1\n'), {
    born: 'Sun Nov 1 02:38:24 2026',
    command: '/opt/bin/postgres -D /data -c port=1',
  });
  assert.is(parsePs(''), undefined);
});

if (process.platform !== 'win32') {
  test('ps tells this process and no other', async () => {
    const found = await findProcess(process.pid, 'darwin');
    assert.match(found?.command ?? '', 'node');
    assert.is(await findProcess(2 ** 22 + 1, 'darwin'), undefined);
  });
}

test('where neither is there the pid alone must do', async () => {
  assert.equal(await findProcess(process.pid, 'win32'), { pid: process.pid, born: '', command: undefined });
  assert.is(await findProcess(2 ** 22 + 1, 'win32'), undefined);
});

test.run();
