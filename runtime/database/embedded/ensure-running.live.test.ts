import { spawn } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { type Binaries, findPlatformPackage, prepareBinaries } from './binaries.js';
import { ensureRunning } from '../embedded-server.js';
import { createCluster } from './cluster.js';
import { type ServerHome, openHome } from './server-home.js';
import { postmasterFile, stopServer } from './server-process.js';
import { exists, findProcess, poll } from './operating-system.js';
import { sharedIn } from '../../testing/shared-in.js';
import { withFolder } from '../../kit/temporary-folder.js';

const test = suite('ensure running');
const settings = { fsync: 'off' };

interface Scene {
  readonly home: ServerHome;
  readonly binaries: Binaries;
}

const withHome = (body: (home: ServerHome, binaries: Binaries) => Promise<void>) =>
  withFolder(async (dataDir) => {
    const home = await openHome(dataDir);
    await body(home, await prepareBinaries(await findPlatformPackage(), home));
  });

/** One cluster for all tests that need no new one: each leaves it without a server. */
const withCluster = sharedIn<Scene>(test, (use) => withHome((home, binaries) => use({ home, binaries })));

test('a running server is adopted, not started again', () =>
  withCluster(async ({ home, binaries }) => {
    const started = await ensureRunning(home, binaries, { settings });
    const found = await ensureRunning(home, binaries, { settings });
    await stopServer(home, binaries, started.postmaster);
    assert.is(started.adopted, false);
    assert.equal(found, { postmaster: started.postmaster, adopted: true });
  }));

test('a start that was interrupted launches no server, whether its cluster exists or not', () =>
  withHome(async (home, binaries) => {
    const interrupted = async (): Promise<string | undefined> => {
      const starting = ensureRunning(home, binaries, { settings, signal: AbortSignal.abort() });
      const problem = await starting.catch((error: unknown) => error);
      return problem instanceof Problem ? problem.code : undefined;
    };
    assert.is(await interrupted(), 'draining');
    assert.not(await exists(home.cluster));
    const { postmaster } = await ensureRunning(home, binaries, { settings });
    await stopServer(home, binaries, postmaster);
    assert.is(await interrupted(), 'draining');
    assert.not(await exists(postmasterFile(home.cluster)));
  }));

test('leftovers of a killed first start are removed', () =>
  withHome(async (home, binaries) => {
    await mkdir(join(home.folder, 'new-abc', 'data'), { recursive: true });
    const { postmaster } = await ensureRunning(home, binaries, { settings });
    await stopServer(home, binaries, postmaster);
    assert.not(await exists(join(home.folder, 'new-abc')));
  }));

test('a postmaster.pid whose pid now belongs to another program does not prevent the start', () =>
  withCluster(async ({ home, binaries }) => {
    const first = await ensureRunning(home, binaries, { settings });
    await stopServer(home, binaries, first.postmaster);
    const other = spawn('sleep', ['60'], { ...home.account });
    const { cluster, port } = first.postmaster;
    const lines = [other.pid, cluster, 1_794_710_304, port, '', '127.0.0.1', '  1  1', 'ready   ', ''];
    await writeFile(postmasterFile(home.cluster), lines.join('\n'), { mode: 0o666 });
    const second = await ensureRunning(home, binaries, { settings });
    other.kill();
    await stopServer(home, binaries, second.postmaster);
    assert.is(second.adopted, false);
  }));

test('an empty postmaster.pid does not prevent the start', () =>
  withCluster(async ({ home, binaries }) => {
    const first = await ensureRunning(home, binaries, { settings });
    await stopServer(home, binaries, first.postmaster);
    await writeFile(postmasterFile(home.cluster), '');
    const second = await ensureRunning(home, binaries, { settings });
    await stopServer(home, binaries, second.postmaster);
    assert.is(second.adopted, false);
  }));

test('a postmaster.pid that was copied from the folder of a running server does not lead to that server', () =>
  withCluster(({ home: original, binaries }) =>
    withHome(async (copy) => {
      const running = await ensureRunning(original, binaries, { settings });
      await createCluster(copy, binaries, { password: 'secret', fsync: false });
      await cp(postmasterFile(original.cluster), postmasterFile(copy.cluster));
      const own = await ensureRunning(copy, binaries, { settings });
      await stopServer(copy, binaries, own.postmaster);
      await stopServer(original, binaries, running.postmaster);
      assert.is(own.adopted, false);
      assert.is.not(own.postmaster.port, running.postmaster.port);
    }),
  ));

test('right after the server was killed the next one starts', () =>
  withCluster(async ({ home, binaries }) => {
    const first = await ensureRunning(home, binaries, { settings });
    const { pid } = first.postmaster;
    process.kill(pid, 'SIGKILL');
    await poll(async () => ((await findProcess(pid)) ? undefined : 'gone'), { everyMs: 1, withinMs: 60_000 });
    const second = await ensureRunning(home, binaries, { settings });
    await stopServer(home, binaries, second.postmaster);
    assert.is(second.adopted, false);
  }));
