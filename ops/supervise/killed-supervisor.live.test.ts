import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/kit/until.js';
import { isAlive, pids, withSupervisor } from '../testing/spawned-supervisor.js';

const test = suite('host slot');

test('when the supervisor is killed no host outlives it', () =>
  withStore((url) =>
    withSupervisor({ env: { DATABASE_URL: url } }, async (supervisor) => {
      const hosts = pids(await supervisor.status());
      assert.is(hosts.filter(isAlive).length, 2);
      await supervisor.kill('SIGKILL');
      await until(() => !hosts.some(isAlive));
    }),
  ));
