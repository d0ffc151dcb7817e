import * as assert from 'uvu/assert';
import { type NetworkProxy, withProxy } from '../../runtime/testing/network-proxy.js';
import { durableSettings, type PostgresPair, withPostgresPair } from '../../runtime/testing/postgres-pair.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from '../host/host.js';
import { probe } from './probed-host.js';
import { ordersAlone } from './orders-alone.js';

export const withHost = (
  durability: string,
  body: (host: Host, pair: PostgresPair, line: NetworkProxy) => Promise<void>,
): Promise<void> =>
  withPostgresPair(
    (pair) =>
      withProxy(pair.url, async (line) => {
        const env = { SVC_PORT: '0', SVC_NAME: 'north', DATABASE_URL: line.url, SVC_DURABILITY: durability };
        const host = await startHost(ordersAlone, readConfig(env));
        try {
          await body(host, pair, line);
        } finally {
          await host.stop();
        }
      }),
    durableSettings,
  );

export const headText = 'SELECT svc_head()';

/** With the two audits behind the event. */
export const lastUnitText = 'SELECT max(global_position) + 2 FROM svc_events';

export const reportsText = `SELECT data->>'epoch', data->>'fork', data->>'lostTo', data->>'witness' FROM svc_system_stream
  WHERE event_type = 'StoreWentBack'`;

export async function historyOf(url: string) {
  const { checks } = await probe(url, '/health');
  const check = checks.find(({ name }) => name === 'store_history');
  assert.ok(check);
  return check;
}
