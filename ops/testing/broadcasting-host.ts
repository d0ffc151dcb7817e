import { post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from '../host/host.js';
import { anOrder, createOrder } from './order-load.js';
import { ordersAlone } from './orders-alone.js';

/** A broadcasting host of the orders example with its own store. */
export interface BroadcastingHost {
  readonly url: string;
  readonly databaseUrl: string;
  /** Creates an order; a busy machine makes a host refuse some at first. */
  order(headers?: Readonly<Record<string, string>>): Promise<void>;
  /** An order whose carrier is down: its dispatch fails, and its error-hook recovers. */
  fail(): Promise<void>;
  /** The ids of its broadcast records, in stream order. */
  broadcast(): Promise<string[]>;
}

export const withBroadcastingHost = (
  name: string,
  nats: string,
  body: (host: BroadcastingHost) => Promise<void>,
  namespace?: string,
): Promise<void> =>
  withStore((databaseUrl) => withBroadcastingHostOn(databaseUrl, name, nats, body, namespace));

/** On a database that outlives the host. */
export async function withBroadcastingHostOn(
  databaseUrl: string,
  name: string,
  nats: string,
  body: (host: BroadcastingHost) => Promise<void>,
  namespace = 'svc',
): Promise<void> {
  const config = readConfig({
    SVC_PORT: '0',
    SVC_NAME: name,
    DATABASE_URL: databaseUrl,
    NATS_URL: nats,
    SVC_BROADCAST: '1',
    SVC_NAMESPACE: namespace,
    SVC_LOG: 'error',
  });
  const host = await startHost(ordersAlone, config);
  try {
    await body(broadcasting(host, databaseUrl));
  } finally {
    await host.stop();
  }
}

const broadcasting = ({ url }: Host, databaseUrl: string): BroadcastingHost => ({
  url,
  databaseUrl,
  order: async (headers = {}) => {
    const accepted = async () => (await post(url, anOrder, { path: '/orders', headers })).status === 200;
    await until(accepted);
  },
  fail: async () => {
    const { orderId } = JSON.parse((await createOrder(url)).text) as { orderId: string };
    await post(url, { orderId, carrier: 'down' }, { path: '/orders/ship' });
  },
  broadcast: async () =>
    (await rowsOf(databaseUrl, 'SELECT event_id FROM svc_system_events ORDER BY stream_position')).map(
      ([id]) => id ?? '',
    ),
});
