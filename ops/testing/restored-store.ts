import * as assert from 'uvu/assert';
import { startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import { exampleHere } from '../../runtime/testing/process-root.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { createOrder } from './order-load.js';
import { probe } from './probed-host.js';
import { readConfig } from '../config/config.js';
import { loadService } from '../service/load-service.js';
import { startHost } from '../host/host.js';

const orders = await loadService(exampleHere('orders'));

export type Body = (host: { readonly url: string }) => Promise<unknown>;

/** Runs a host until it is stopped. */
export async function run(dataDir: string, body: Body): Promise<void> {
  const env = { SVC_PORT: '0', SVC_DATA_DIR: dataDir, SVC_NAME: 'north' };
  const host = await startHost(orders, readConfig(env));
  try {
    await body(host);
  } finally {
    await host.stop();
  }
}

export const ordersOf =
  (count: number) =>
  async ({ url }: { readonly url: string }): Promise<void> => {
    for (let n = 0; n < count; n++) assert.is((await createOrder(url)).status, 200);
  };

export async function query(dataDir: string, text: string) {
  const server = await startEmbeddedServer({ dataDir });
  const rows = await rowsOf(server.url, text);
  await server.stop();
  return rows;
}

export const historyOf = async (url: string) =>
  (await probe(url, '/health')).checks.find(({ name }) => name === 'store_history');

export const reportsText = `SELECT data->>'epoch', data->>'fork', data->>'lostTo', data->>'witness' FROM svc_system_stream
  WHERE event_type = 'StoreWentBack'`;
