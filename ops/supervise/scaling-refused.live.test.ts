import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { exampleForProcess } from '../../runtime/testing/process-root.js';
import { createOrder } from '../testing/order-load.js';
import { svc } from '../testing/spawned-host.js';
import { withSupervisor } from '../testing/spawned-supervisor.js';
import { mustHaveScaled, scaleSupervisor } from './control-supervisor.js';

const test = suite('scaling');

/** A copy that can be removed while hosts of it run. */
const orders = `export { default } from '${exampleForProcess('orders')}';`;

test('a host that cannot be started is reported with the reason, and the others keep serving; none is started after a stop', () =>
  withStore((url) =>
    withSupervisor({ env: { DATABASE_URL: url }, source: orders }, async (supervisor) => {
      const { dataDir } = supervisor;
      await rm(join(dataDir, '../app.mjs'));
      // One process may have loaded the application already, as a standby.
      const failed = await scaleSupervisor(dataDir, 4);
      const because = /^The supervisor has [23] hosts, not 4: north-\d did not start: process \d+ [^\n]+$/;
      assert.throws(() => mustHaveScaled(failed, 4), because);
      assert.is((await createOrder(supervisor.url)).status, 200);

      const stopped = await svc(['supervise', '--stop'], { SVC_DATA_DIR: dataDir });
      assert.equal([stopped.code, stopped.stderr], [0, '']);
      assert.equal(await supervisor.ended, { code: 0, signal: null });
      const late = await svc(['supervise', '--scale', '2'], { SVC_DATA_DIR: dataDir });
      assert.is(late.code, 1);
      assert.match(late.stderr, /^svc: No supervisor is running in [^\n]+\n$/);
    }),
  ));
