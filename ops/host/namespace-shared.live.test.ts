import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import { createOrder } from '../testing/order-load.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { type Health, probe } from '../testing/probed-host.js';
import { type Host } from './host.js';
import { startAt } from '../testing/namespace-hosts.js';

const test = suite('a namespace with two stores of one service');

const receivedCheck = ({ checks }: Health) => checks.find(({ name }) => name === 'received');

test('two stores of one service in one namespace both say so, with what to do', () =>
  withEmptyNats((nats) =>
    withStore((north) =>
      withStore(async (south) => {
        const twice =
          /^The store \S+ also publishes as \S+ in the namespace twice; give one of the two another SVC_NAMESPACE/;
        const isSeen = async ({ url }: Host): Promise<boolean> => {
          const { status, detail } = receivedCheck(await probe(url, '/health')) ?? {};
          return status === 'Degraded' && twice.test(detail ?? '');
        };
        const published = async (host: Host, store: string): Promise<void> => {
          await until(async () => (await createOrder(host.url)).status === 200);
          await until(async () => (await rowsOf(store, 'SELECT 1 FROM svc_outbox_pending')).length === 0);
        };
        const first = await startAt(ordersAlone, north, nats, 'twice');
        await published(first, north);
        await first.stop();
        const second = await startAt(ordersAlone, south, nats, 'twice');
        try {
          await until(() => isSeen(second));
          await published(second, south);
          const again = await startAt(ordersAlone, north, nats, 'twice');
          try {
            await until(() => isSeen(again));
          } finally {
            await again.stop();
          }
        } finally {
          await second.stop();
        }
      }),
    ),
  ));
