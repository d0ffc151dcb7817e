import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post } from '../../endpoints/testing/http-client.js';
import { execute } from '../../runtime/kit/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { receivedLetters } from '../../runtime/testing/received-letters.js';
import { readConfig } from '../config/config.js';
import { startHost } from '../host/host.js';
import { changedIn, recordedIn, whileRecordsAreCut } from '../testing/cut-records.js';
import { ordersAlone } from '../testing/orders-alone.js';

const test = suite('actions in the console and their records');

const token = 'an-operator-of-all-the-orders-of-a-shop';
const headers = { authorization: `Bearer ${token}` };

/** Something for each action to change; the rebuild is on another host. */
const scene = `
${receivedLetters(3)};
INSERT INTO svc_stuck_work(follower, key, position, state, attempts, error)
  SELECT table_name, k, 1, 'parked', 1, 'no' FROM svc_perspectives, unnest('{rye,oat}'::text[]) k WHERE name = 'order-summary';
INSERT INTO svc_rebuilds(id, table_name, name, mode, owner, lease_until)
  VALUES (gen_random_uuid(), 'svc_per_loaves_1', 'loaves', 'BlueGreen', gen_random_uuid(), now() + interval '1 hour')`;

const actions = [
  ['dead-letters/1/replay', {}, 'dead-letters replay 1'],
  ['dead-letters/2/discard', { reason: 'old' }, 'dead-letters discard 2'],
  ['stuck/skip', { id: 'inbox/dead-letter@3', reason: 'old' }, 'stuck skip inbox/dead-letter@3'],
  ['perspectives/order-summary/release', { key: 'rye' }, 'perspectives release order-summary rye'],
  ['perspectives/order-summary/release', {}, 'perspectives release order-summary'],
  ['perspectives/loaves/cancel', {}, 'perspectives cancel loaves'],
  ['perspectives/order-summary/rebuild', { mode: 'BlueGreen' }, 'perspectives rebuild order-summary'],
] as const;

test('an action and its record are stored together, or neither is', () =>
  withStore(async (url) => {
    const given = { SVC_PORT: '0', DATABASE_URL: url, SVC_LOG: 'silent', SVC_INSPECT: '1' };
    const host = await startHost(ordersAlone, readConfig({ ...given, SVC_OPERATOR_TOKEN: token }));
    try {
      await execute(url, scene);
      const act = async (path: string, body: object) =>
        (await post(host.url, body, { path: `/console/api/${path}`, headers })).status;
      const before = await changedIn(url);
      await whileRecordsAreCut(url, async () => {
        for (const [path, body] of actions) {
          const status = await act(path, body);
          assert.ok(status >= 500, `${path}: ${status}`);
        }
      });
      assert.equal([await changedIn(url), await recordedIn(url)], [before, []]);
      for (const [path, body] of actions) assert.is(await act(path, body), 200, path);
      const records = actions.map(([, , record]) => record);
      assert.equal(await recordedIn(url), records);
      assert.is(await act('dead-letters/2/discard', { reason: 'old' }), 404);
      assert.is(await act('perspectives/order-summary/release', { key: 'bun' }), 404);
      assert.equal(await recordedIn(url), records, 'what changes nothing is not recorded');
    } finally {
      await host.stop();
    }
  }));
