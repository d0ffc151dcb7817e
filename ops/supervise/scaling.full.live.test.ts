import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { startLoad } from '../testing/order-load.js';
import { pids, withSupervisor } from '../testing/spawned-supervisor.js';
import { scaleSupervisor } from './control-supervisor.js';

const test = suite('scaling under a stream of requests');

test('two hosts become five, all are restarted, and they become two again: no request is lost', () =>
  withStore((url) =>
    withSupervisor({ env: { DATABASE_URL: url } }, async (supervisor) => {
      const load = startLoad({ url: supervisor.url, clients: 16 });
      const more = () => load.reached(load.acknowledged.size + 100);
      await more();
      const five = await scaleSupervisor(supervisor.dataDir, 5);
      assert.is(five.hosts.length, 5, five.lastError);
      await more();
      process.kill(supervisor.pid, 'SIGHUP');
      await supervisor.untilLogged('"rolling restart done"');
      const restarted = await supervisor.status();
      assert.ok(pids(restarted).every((pid) => !pids(five).includes(pid)));
      await more();
      const two = await scaleSupervisor(supervisor.dataDir, 2);
      assert.equal(pids(two), pids(restarted).slice(0, 2));
      await more();
      await load.stop();
      assert.equal([...load.others], [], 'nothing but 200');
    }),
  ));
