import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { type Binaries, findPlatformPackage, prepareBinaries } from './binaries.js';
import { createCluster } from './cluster.js';
import { type ServerHome, openHome } from './server-home.js';
import { launch, logFile, isRetryable, readyPostmaster, stopServer } from './server-process.js';
import { freePort } from './operating-system.js';
import { withFolder } from '../../kit/temporary-folder.js';

const test = suite('server process');

const withCluster = (body: (home: ServerHome, binaries: Binaries) => Promise<void>) =>
  withFolder(async (dataDir) => {
    const home = await openHome(dataDir);
    const binaries = await prepareBinaries(await findPlatformPackage(), home);
    await createCluster(home, binaries, { password: 'secret', fsync: false });
    await body(home, binaries);
  });

test('a server is up when postmaster.pid reports it ready, and gone after it was stopped', () =>
  withCluster(async (home, binaries) => {
    const port = await freePort();
    const launched = await launch(home, binaries, { port, settings: { fsync: 'off' }, withinMs: 30_000 });
    if (launched.outcome === 'failed') return assert.unreachable(launched.log);
    assert.is(launched.postmaster.port, port);
    assert.equal(await readyPostmaster(home.cluster), launched.postmaster);
    await stopServer(home, binaries, launched.postmaster);
    assert.is(await readyPostmaster(home.cluster), undefined);
    assert.match(await readFile(logFile(home), 'utf8'), 'database system is shut down');
    await stopServer(home, binaries, launched.postmaster);
  }));

test('a port that is already in use is worth another attempt', () =>
  withCluster(async (home, binaries) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const launched = await launch(home, binaries, { port, settings: {}, withinMs: 30_000 });
    taken.close();
    assert.is(launched.outcome, 'failed');
    assert.ok(launched.outcome === 'failed' && isRetryable(launched.log));
  }));

test('a setting that PostgreSQL refuses is not worth another attempt', () =>
  withCluster(async (home, binaries) => {
    const launched = await launch(home, binaries, {
      port: 1,
      settings: { fsync: 'perhaps' },
      withinMs: 30_000,
    });
    assert.is(launched.outcome, 'failed');
    assert.match(launched.outcome === 'failed' ? launched.log : '', 'requires a Boolean value');
    assert.not(launched.outcome === 'failed' && isRetryable(launched.log));
  }));
