import { readdir } from 'node:fs/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { openHome } from '../../runtime/database/embedded/server-home.js';
import { poll } from '../../runtime/database/embedded/operating-system.js';
import { createOrder } from '../testing/order-load.js';
import { listeningTo, startCli, startProgram } from '../testing/spawned-host.js';
import { withDataDir, postmasterOf } from '../testing/embedded-host.js';

const test = suite('host process with its own PostgreSQL');

test('SIGTERM to npm start drains the host, and neither it nor its server outlives npm', () =>
  withDataDir(async (dataDir) => {
    // Do not rebuild during a test run: other tests use the build.
    const npm = startProgram('npm', ['-s', 'start', '--ignore-scripts'], { SVC_DATA_DIR: dataDir });
    await listeningTo(npm, async (host) => {
      assert.is((await createOrder(host.url)).status, 200);
      await host.kill('SIGTERM');
      assert.match(host.output.stdout.join(''), '"stopped"');
      assert.is(await postmasterOf(dataDir), undefined);
    });
  }));

const isOwned = async (dataDir: string): Promise<true | undefined> =>
  (await readdir((await openHome(dataDir)).folder)).some((name) => name.startsWith('owner.')) || undefined;

test('SIGTERM during the start ends it with 0 at every stage, and leaves no server behind', () =>
  withDataDir(async (dataDir) => {
    for (const reached of [isOwned, postmasterOf]) {
      const host = startCli(['start', 'examples/orders'], { SVC_DATA_DIR: dataDir });
      await poll<unknown>(() => reached(dataDir), { everyMs: 10, withinMs: 60_000 });
      assert.equal(await host.kill('SIGTERM'), { code: 0, signal: null }, reached.name);
      assert.is(await postmasterOf(dataDir), undefined, reached.name);
    }
  }));
