import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { createStream, readPublished } from '../../runtime/testing/published-messages.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { followingService } from '../testing/following-service.js';
import { withNatsHost } from '../testing/nats-host.js';
import { createOrder, startLoad } from '../testing/order-load.js';
import { listeningTo, startCli, withOrders } from '../testing/spawned-host.js';

const test = suite('messages that are published again');

/** Shorter than it takes another host to find out that the relay has ended. */
const duplicateWindowMs = 200;

const orders = "svc_events WHERE event_type = 'OrderCreated'";
const count = async (store: string, from: string): Promise<number> =>
  Number((await rowsOf(store, `SELECT count(*) FROM ${from}`))[0]?.[0]);

/** Its relay ends after the broker has taken messages, and before the store knows. */
async function publishAndDie(env: Readonly<Record<string, string>>): Promise<void> {
  const host = startCli(['start', 'examples/orders'], { ...env, SVC_FAILPOINTS: 'outbox-after-publish@5' });
  await listeningTo(host, async ({ url }) => {
    await startLoad({ url, clients: 8 }).done;
    await host.ended;
  });
}

test('after the broker has forgotten them, they are twice at the broker and once at their receiver', () =>
  withNatsServer(async ({ url: NATS_URL }) => {
    await createStream(NATS_URL, duplicateWindowMs);
    await withNatsHost(followingService, NATS_URL, (_, receiver) =>
      withStore(async (DATABASE_URL) => {
        const env = { DATABASE_URL, NATS_URL };
        await publishAndDie(env);
        await withOrders(env, async ({ url }) => {
          assert.is((await createOrder(url)).status, 200);
          // The last order arrives after everything that is published again.
          const sent = await count(DATABASE_URL, orders);
          await until(async () => (await count(receiver, orders)) === sent);
          await until(async () => (await count(DATABASE_URL, 'svc_outbox_pending')) === 0);
          const published = (await readPublished(NATS_URL)).map(({ id }) => id);
          assert.ok(published.length > new Set(published).size, 'some are there twice');
          assert.is(await count(receiver, orders), sent);
          assert.is(await count(receiver, `(SELECT DISTINCT event_id FROM ${orders}) once`), sent);
        });
      }),
    );
  }));
