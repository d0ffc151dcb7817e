import { suite } from '../../contracts/testing/suite.js';
import { post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/kit/until.js';
import { isAlive, pids, withSupervisor } from '../testing/spawned-supervisor.js';
import { kitchen } from '../testing/reacting-kitchen.js';

const test = suite('a reaction that blocks the event loop');

test('a host that it blocks does not outlive its supervisor', () =>
  withStore((database) =>
    withSupervisor({ env: { DATABASE_URL: database }, source: kitchen }, async (supervisor) => {
      const hosts = pids(await supervisor.status());
      // Its own host may be the one that is blocked.
      void post(supervisor.url, { pot: 'burnt' }, { path: '/boil' }).catch(() => undefined);
      await supervisor.untilLogged('burning');
      void supervisor.kill('SIGKILL');
      await until(() => !hosts.some(isAlive));
    }),
  ));
