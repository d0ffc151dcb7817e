import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import {
  createOnce,
  exists,
  findProcess,
  freePort,
  hasCode,
  isAlive,
  parsePs,
  parseStat,
  poll,
  readIfExists,
  syncFolder,
} from './operating-system.js';
import { withFolder } from '../../kit/temporary-folder.js';

const test = suite('operating system');

test('exactly one of many concurrent creators of a file succeeds, and its text is complete', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'winner');
    const texts = Array.from({ length: 20 }, (_, index) => `writer ${index}`.repeat(1000));
    const created = await Promise.all(texts.map((text) => createOnce(file, text)));
    assert.is(created.filter(Boolean).length, 1);
    assert.is(await readFile(file, 'utf8'), texts[created.indexOf(true)]);
    assert.equal(await readdir(folder), ['winner']);
  }));

test('a free port is none that the system gives to connections', async () => {
  const range = await readIfExists('/proc/sys/net/ipv4/ip_local_port_range');
  const first = range === undefined ? 49_152 : Number(range.trim().split(/\s/)[0]);
  // A system may be set to give all ports.
  for (let n = 0; n < 20; n++) assert.ok((await freePort()) < Math.max(first, 32_000));
});

test('a missing file is a result, not an error', () =>
  withFolder(async (folder) => {
    assert.is(await readIfExists(join(folder, 'nothing')), undefined);
    assert.is(await exists(join(folder, 'nothing')), false);
    assert.is(await exists(folder), true);
  }));

test('reading a folder as a file is still an error', () =>
  withFolder(async (folder) => {
    const error = await readIfExists(folder).catch((caught: unknown) => caught);
    assert.ok(hasCode(error, 'EISDIR'));
  }));

test('a folder can be synced to disk', () => withFolder((folder) => syncFolder(folder)));

test('a process is identified by its pid and its start time', async () => {
  const found = await findProcess(process.pid);
  assert.is(found?.pid, process.pid);
  assert.ok(await isAlive({ pid: process.pid, startTime: found?.startTime ?? '' }));
});

test('a process that reuses a pid is not the earlier process', async () => {
  assert.not(await isAlive({ pid: process.pid, startTime: 'long ago' }));
});

test('a process that has ended is not found', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  assert.is(await findProcess(child.pid ?? 0), undefined);
});

test('the name of a program may contain blanks and brackets', () => {
  const stat = '4743 (a (b) c) S 1 4743 4743 0 -1 4194304 4046 265 0 0 0 1 0 0 20 0 1 0 98383 226938880';
  assert.equal(parseStat(stat), { ended: false, startTicks: '98383' });
});

test('a process that waits to be reaped has ended', () => {
  assert.ok(parseStat('17 (postgres) Z 1 17 17 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 98383 0').ended);
  assert.is(parsePs('Z    Sun Nov 15 02:38:24 2026 (postgres)'), undefined);
});

test('outside Linux the start time comes from ps', () => {
  assert.equal(parsePs('Ss   Sun Nov  1 02:38:24 2026 /opt/bin/postgres -D /data -c port=1\n'), {
    startTime: 'Sun Nov 1 02:38:24 2026',
    command: '/opt/bin/postgres -D /data -c port=1',
  });
  assert.is(parsePs(''), undefined);
});

if (process.platform !== 'win32') {
  test('ps reports this process and no other', async () => {
    const found = await findProcess(process.pid, 'darwin');
    assert.match(found?.command ?? '', 'node');
    assert.is(await findProcess(2 ** 22 + 1, 'darwin'), undefined);
  });
}

test('without /proc and ps the pid alone must do', async () => {
  assert.equal(await findProcess(process.pid, 'win32'), {
    pid: process.pid,
    startTime: '',
    command: undefined,
  });
  assert.is(await findProcess(2 ** 22 + 1, 'win32'), undefined);
});

test('a free port is one that can be listened on', async () => {
  const port = await freePort();
  assert.ok(port > 1023 && port < 65_536);
});

test('polls until there is a result', async () => {
  const answers = [undefined, undefined, 'here'];
  assert.is(await poll(async () => answers.shift(), { everyMs: 1, withinMs: 1000 }), 'here');
  assert.is(answers.length, 0);
});

test('polls at least once and gives up in time', async () => {
  let asked = 0;
  const ask = async (): Promise<undefined> => void (asked += 1);
  assert.is(await poll(ask, { everyMs: 1, withinMs: 0 }), undefined);
  assert.is(asked, 1);
});

test('a failure ends the polling', async () => {
  const failing = poll(() => Promise.reject(new TypeError('broken')), { everyMs: 1, withinMs: 1000 });
  assert.instance(await failing.catch((error: unknown) => error), TypeError);
});
