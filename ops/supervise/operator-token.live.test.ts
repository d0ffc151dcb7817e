import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { refusalIn } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/kit/until.js';
import { createOrder } from '../testing/order-load.js';
import { withSupervisor } from '../testing/spawned-supervisor.js';
import { act, tokenIn } from '../testing/operator-token.js';

const test = suite('access to a host');

test('all hosts of a supervisor accept the token printed at its start', () =>
  withStore((url) =>
    withSupervisor({ env: { DATABASE_URL: url, SVC_INSPECT: '1' } }, async (supervisor) => {
      await createOrder(supervisor.url);
      // It is printed after the log says that the hosts listen.
      await until(() => tokenIn(supervisor) !== '');
      const headers = { authorization: `Bearer ${tokenIn(supervisor)}` };
      // Use a new connection each time, so that any host may get it.
      for (let n = 0; n < 8; n++) assert.is((await act(supervisor.url, headers)).status, 200);
      assert.is(refusalIn(await act(supervisor.url)), '401 unauthenticated');
    }),
  ));
