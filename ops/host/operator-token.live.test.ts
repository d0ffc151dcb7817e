import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { refusalIn } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withOrders } from '../testing/spawned-host.js';
import { act, tokenIn, get } from '../testing/operator-token.js';

const test = suite('access to a host');

test('in development the operator token is printed at the start, and not in the log', () =>
  withStore((url) =>
    withOrders({ DATABASE_URL: url, NODE_ENV: 'development' }, async (host) => {
      assert.is(refusalIn(await act(host.url)), '401 unauthenticated');
      const token = tokenIn(host);
      assert.is((await act(host.url, { authorization: `Bearer ${token}` })).status, 200);
      assert.is((await get(host.url, '/console/api/host', {})).status, 200, 'reading is open here');
      assert.not.match(host.output.stdout.join(''), token);
    }),
  ));

test('in production operator actions are refused until an operator token is set', () =>
  withStore((url) =>
    withOrders({ DATABASE_URL: url, NODE_ENV: 'production', SVC_INSPECT: '1' }, async (host) => {
      const { detail } = JSON.parse((await act(host.url)).text) as { detail: string };
      assert.match(detail, 'SVC_OPERATOR_TOKEN');
      assert.is(tokenIn(host), '');
    }),
  ));
