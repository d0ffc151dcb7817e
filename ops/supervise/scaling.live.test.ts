import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { exampleForProcess } from '../../runtime/testing/process-root.js';
import { createOrder, startLoad } from '../testing/order-load.js';
import { svc } from '../testing/spawned-host.js';
import {
  allRun,
  isAlive,
  pids,
  type SpawnedSupervisor,
  withSupervisor,
} from '../testing/spawned-supervisor.js';
import { mustHaveScaled, scaleSupervisor } from './control-supervisor.js';
import { requestOfSupervisor, type SupervisorStatus } from './status-socket.js';

const test = suite('scaling');

/** A copy that can be removed while hosts of it run. */
const orders = `export { default } from '${exampleForProcess('orders')}';`;

const scaleByCli = ({ dataDir }: SpawnedSupervisor, hosts: number, ...more: string[]) =>
  svc(['supervise', '--scale', String(hosts), ...more], { SVC_DATA_DIR: dataDir });

const names = ({ hosts }: SupervisorStatus) => hosts.map(({ name }) => name);

test('a supervisor is scaled up, down, to zero and up again while it runs; no request is lost', () =>
  withStore((url) =>
    withSupervisor({ env: { DATABASE_URL: url }, source: orders }, async (supervisor) => {
      const { dataDir } = supervisor;
      const load = startLoad({ url: supervisor.url, clients: 8 });
      await load.reached(50);
      const grown = await scaleByCli(supervisor, 3, '--json');
      assert.is(grown.code, 0, grown.stderr);
      const three = JSON.parse(grown.stdout) as SupervisorStatus;
      assert.equal([names(three), three.wanted], [['north-1', 'north-2', 'north-3'], 3]);
      assert.ok(allRun(three));
      await load.reached(load.acknowledged.size + 50);
      assert.equal(names(await scaleSupervisor(dataDir, 1)), ['north-1']);
      assert.equal(pids(three).slice(1).filter(isAlive), []);
      await load.reached(load.acknowledged.size + 50);
      await load.stop();
      assert.equal([...load.others], [], 'nothing but 200');

      const none = await scaleSupervisor(dataDir, 0);
      assert.equal([none.state, none.wanted, none.hosts, none.url], ['running', 0, [], supervisor.url]);
      assert.is(await createOrder(supervisor.url).catch(() => 'refused'), 'refused');
      // The last request counts, while hosts of an earlier one still start.
      await requestOfSupervisor(dataDir, { scale: 3 });
      assert.equal(names(await scaleSupervisor(dataDir, 1)), ['north-1']);
      assert.is((await createOrder(supervisor.url)).status, 200);

      await rm(join(dataDir, '../app.mjs'));
      // One process may have loaded the application already, as a standby.
      const failed = await scaleSupervisor(dataDir, 3);
      const because = /^The supervisor has [12] hosts, not 3: north-\d did not start: process \d+ [^\n]+$/;
      assert.throws(() => mustHaveScaled(failed, 3), because);
      assert.is((await createOrder(supervisor.url)).status, 200);

      const stopped = await svc(['supervise', '--stop'], { SVC_DATA_DIR: dataDir });
      assert.equal([stopped.code, stopped.stderr], [0, '']);
      assert.equal(await supervisor.ended, { code: 0, signal: null });
      const late = await scaleByCli(supervisor, 2);
      assert.is(late.code, 1);
      assert.match(late.stderr, /^svc: No supervisor is running in [^\n]+\n$/);
    }),
  ));
