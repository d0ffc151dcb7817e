import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { serverOptions, syncsToDisk } from './settings.js';

const test = suite('settings');
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

test.run();
