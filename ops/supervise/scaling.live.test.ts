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
import { scaleSupervisor } from './control-supervisor.js';
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
      const load = startLoad({ url: supervisor.url, clients: 8, pauseMs: 250 });
      await load.reached(16);
      const grown = await scaleByCli(supervisor, 3, '--json');
      assert.is(grown.code, 0, grown.stderr);
      const three = JSON.parse(grown.stdout) as SupervisorStatus;
      assert.equal([names(three), three.wanted], [['north-1', 'north-2', 'north-3'], 3]);
      assert.ok(allRun(three));
      await load.reached(load.acknowledged.size + 16);
      assert.equal(names(await scaleSupervisor(dataDir, 1)), ['north-1']);
      assert.equal(pids(three).slice(1).filter(isAlive), []);
      await load.reached(load.acknowledged.size + 16);
      await load.stop();
      assert.equal([...load.others], [], 'nothing but 200');

      const none = await scaleSupervisor(dataDir, 0);
      assert.equal([none.state, none.wanted, none.hosts, none.url], ['running', 0, [], supervisor.url]);
      assert.is(await createOrder(supervisor.url).catch(() => 'refused'), 'refused');
      // The last request counts, while hosts of an earlier one still start.
      await requestOfSupervisor(dataDir, { scale: 2 });
      assert.equal(names(await scaleSupervisor(dataDir, 1)), ['north-1']);
      assert.is((await createOrder(supervisor.url)).status, 200);
    }),
  ));
