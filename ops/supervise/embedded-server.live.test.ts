import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { createOrder } from '../testing/order-load.js';
import { pids, replacedAfterMs, withSupervisor } from '../testing/spawned-supervisor.js';

const test = suite('supervise');

test('the embedded server belongs to the supervisor: it survives every host, and stops last', () =>
  withSupervisor({ env: {} }, async (supervisor) => {
    assert.is((await createOrder(supervisor.url)).status, 200);
    const [lost] = pids(await supervisor.status());
    process.kill(lost ?? -1, 'SIGKILL');
    await replacedAfterMs(supervisor, lost);
    assert.is((await createOrder(supervisor.url)).status, 200);
    assert.equal(await supervisor.kill('SIGTERM'), { code: 0, signal: null });
  }));
