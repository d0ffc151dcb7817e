import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { connect } from '../../runtime/database/connect.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import { exchangingOrders } from '../chaos/harness/killable-host.js';
import { readConfig } from '../config/config.js';
import { followingService } from '../testing/following-service.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { createOrder } from '../testing/order-load.js';
import { withListening, withOrders } from '../testing/spawned-host.js';
import { startHost } from './host.js';
import { ordersAlone } from '../testing/orders-alone.js';

const test = suite('store trust');

test('strict: signed events of a new store wait at the broker until it is trusted, and then arrive', () =>
  withNats((nats) =>
    withStore((farUrl) =>
      withStore(async (nearUrl) => {
        const env = { SVC_PORT: '0', NATS_URL: nats };
        const farEnv = { ...env, SVC_NAME: 'far', DATABASE_URL: farUrl, SVC_STORE_TRUST: 'strict' };
        const far = await startHost(followingService, readConfig(farEnv));
        const nearEnv = { ...env, SVC_NAME: 'near', DATABASE_URL: nearUrl, SVC_SIGN_MESSAGES: '1' };
        const near = await startHost(ordersAlone, readConfig(nearEnv));
        const client = await connect(farUrl);
        const one = async (sql: string) =>
          Object.values((await client.query<Record<string, unknown>>(sql)).rows[0] ?? {})[0];
        try {
          for (let n = 0; n < 3; n++) await until(async () => (await createOrder(near.url)).status === 200);
          await until(async () => (await one('SELECT messages FROM svc_waiting_stores')) === '3');
          assert.is(await one('SELECT count(*) FROM svc_events'), '0');
          const store = String(await one('SELECT store FROM svc_waiting_stores'));
          const trusted = await svcInProcess(['stores', 'trust', store, '--reason', 'our orders'], farEnv);
          assert.is(trusted.stdout, `${store} is trusted.\n`);
          await until(async () => (await one('SELECT count(*) FROM svc_events')) === '3');
          await until(async () =>
            /key [0-9a-f]{16}…, signs messages/.test((await svcInProcess(['stores', 'list'], farEnv)).stdout),
          );
          await until(async () => (await createOrder(near.url)).status === 200);
          await until(async () => Number(await one('SELECT count(*) FROM svc_events')) > 3);
        } finally {
          await client.end();
          await near.stop();
          await far.stop();
        }
      }),
    ),
  ));

test('strict: a host says once that a new store waits, and what to do', () =>
  withNats((NATS_URL) =>
    withStore((farUrl) =>
      withStore((nearUrl) =>
        withListening(
          exchangingOrders,
          { NATS_URL, DATABASE_URL: farUrl, SVC_STORE_TRUST: 'strict' },
          (far) =>
            withOrders({ NATS_URL, DATABASE_URL: nearUrl, SVC_STORE_TRUST: 'strict' }, async (near) => {
              const [[store] = []] = await rowsOf(nearUrl, 'SELECT id FROM svc_store');
              const passedOver = async (count: number) => {
                await until(async () => (await createOrder(near.url)).status === 200);
                const waiting = `SELECT 1 FROM svc_waiting_stores WHERE messages >= ${count}`;
                await until(async () => (await rowsOf(farUrl, waiting)).length === 1);
              };
              await passedOver(1);
              await passedOver(2);
              const said = far.output.stdout.filter((line) => line.includes('waits'));
              assert.is(said.length, 1, said.join(''));
              assert.match(said[0] ?? '', `"store":"${store}"`);
              assert.match(said[0] ?? '', 'accept them with svc stores trust');
            }),
        ),
      ),
    ),
  ));
