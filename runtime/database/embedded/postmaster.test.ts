import { writeFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findPostmaster, isPostmaster, parsePostmaster, postmasterFile } from './postmaster.js';
import { withFolder } from './temporary-folder.js';

const test = suite('postmaster');
const file = (pid: number, cluster: string, status = 'ready   ') =>
  [pid, cluster, 1794710304, 54999, '', '127.0.0.1', '  2146338         6', status, ''].join('\n');
const running = { pid: 4743, cluster: '/data/cluster', port: 54999, status: 'ready' } as const;
const command = (text: string) => ({ pid: 4743, born: 'today', command: text });

test('postmaster.pid tells the process, the port and whether it is ready', () => {
  assert.equal(parsePostmaster(file(4743, '/data/cluster')), running);
  assert.is(parsePostmaster(file(4743, '/data/cluster', 'stopping'))?.status, 'stopping');
  assert.is(parsePostmaster(file(4743, '/data/cluster', 'starting'))?.status, 'starting');
});

test('a server that has not said more yet is starting', () => {
  assert.is(parsePostmaster('4743\n/data/cluster\n1794710304\n54999\n\n')?.status, 'starting');
});

test('an empty or broken postmaster.pid names no server', () => {
  assert.is(parsePostmaster(''), undefined);
  assert.is(parsePostmaster('not a number\n/data\n1\n2\n'), undefined);
});

test('a server is known by its command line', () => {
  assert.ok(isPostmaster(command('/opt/bin/postgres -D /data/cluster -c port=54999 '), running));
  assert.not(isPostmaster(command('/opt/bin/postgres -D /data/cluster-2 -c port=54999 '), running));
  assert.not(isPostmaster(command('vim /data/cluster/postgresql.conf '), running));
  assert.not(isPostmaster(undefined, running));
});

test('where command lines are hidden a living process is believed to be the server', () => {
  assert.ok(isPostmaster({ pid: 4743, born: '', command: undefined }, running));
});

test('a postmaster.pid whose process is no server is stale, and so is an empty one', () =>
  withFolder(async (cluster) => {
    assert.equal(await findPostmaster(cluster), { state: 'absent' });
    await writeFile(postmasterFile(cluster), file(process.pid, cluster));
    assert.equal(await findPostmaster(cluster), { state: 'stale' });
    await writeFile(postmasterFile(cluster), '');
    assert.equal(await findPostmaster(cluster), { state: 'stale' });
  }));

test.run();
