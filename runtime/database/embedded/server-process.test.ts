import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import {
  findPostmaster,
  isPostmaster,
  parsePostmaster,
  postmasterFile,
  serverOptions,
  syncsToDisk,
} from './server-process.js';
import { withFolder } from '../../kit/temporary-folder.js';

const test = suite('server process');
const file = (pid: number, cluster: string, status = 'ready   ') =>
  [pid, cluster, 1794710304, 54999, '', '127.0.0.1', '  2146338         6', status, ''].join('\n');
const running = { pid: 4743, cluster: '/data/cluster', port: 54999, status: 'ready' } as const;
const command = (text: string) => ({ pid: 4743, startTime: 'today', command: text });

test('postmaster.pid names the process, the port and whether it is ready', () => {
  assert.equal(parsePostmaster(file(4743, '/data/cluster')), running);
  assert.is(parsePostmaster(file(4743, '/data/cluster', 'stopping'))?.status, 'stopping');
  assert.is(parsePostmaster(file(4743, '/data/cluster', 'starting'))?.status, 'starting');
});

test('a server with a partial postmaster.pid is starting', () => {
  assert.is(parsePostmaster('4743\n/data/cluster\n1794710304\n54999\n\n')?.status, 'starting');
});

test('an empty or broken postmaster.pid names no server', () => {
  assert.is(parsePostmaster(''), undefined);
  assert.is(parsePostmaster('not a number\n/data\n1\n2\n'), undefined);
});

test('a server is recognized by its command line', () => {
  assert.ok(isPostmaster(command('/opt/bin/postgres -D /data/cluster -c port=54999 '), running));
  assert.not(isPostmaster(command('/opt/bin/postgres -D /data/cluster-2 -c port=54999 '), running));
  assert.not(isPostmaster(command('vim /data/cluster/postgresql.conf '), running));
  assert.not(isPostmaster(undefined, running));
});

test('where command lines are hidden a live process is assumed to be the server', () => {
  assert.ok(isPostmaster({ pid: 4743, startTime: '', command: undefined }, running));
});

test('a postmaster.pid whose process is not a server is stale, and so is an empty one', () =>
  withFolder(async (cluster) => {
    assert.equal(await findPostmaster(cluster), { state: 'absent' });
    await writeFile(postmasterFile(cluster), file(process.pid, cluster));
    assert.equal(await findPostmaster(cluster), { state: 'stale' });
    await writeFile(postmasterFile(cluster), '');
    assert.equal(await findPostmaster(cluster), { state: 'stale' });
  }));

const cluster = '/data/cluster';
const throughShell = (options: string): readonly string[] =>
  execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${options}`], { encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '-c' && word !== '');

test('the server keeps what it acknowledged and listens on this machine only', () => {
  const options = throughShell(serverOptions(cluster, {}, 54_999, 'linux'));
  for (const option of ['fsync=on', 'synchronous_commit=on', 'listen_addresses=127.0.0.1', 'port=54999']) {
    assert.ok(options.includes(option), option);
  }
});

test('a setting replaces its default but cannot open the server to the network', () => {
  const options = throughShell(
    serverOptions(cluster, { fsync: 'off', listen_addresses: '*' }, 54_999, 'linux'),
  );
  assert.ok(options.includes('fsync=off'));
  assert.ok(options.includes('listen_addresses=127.0.0.1'));
});

test('a setting reaches the server as it was written, whatever a shell might make of it', () => {
  const value = `it's $HOME; "\`x\`" %d`;
  assert.ok(
    throughShell(serverOptions(cluster, { log_line_prefix: value }, 1, 'linux')).includes(
      `log_line_prefix=${value}`,
    ),
  );
});

test('a data folder may have any name', () => {
  const odd = '/data/it\'s "odd" $HOME `x`';
  assert.ok(throughShell(serverOptions(odd, {}, 1, 'linux')).includes(odd));
});

test('on Windows settings are quoted for its shell', () => {
  assert.match(
    serverOptions(cluster, { log_line_prefix: 'a "b"' }, 1, 'win32'),
    String.raw`-c "log_line_prefix=a \"b\""`,
  );
});

test('only a server without fsync skips the disk', () => {
  assert.ok(syncsToDisk({}));
  assert.not(syncsToDisk({ fsync: 'off' }));
});
