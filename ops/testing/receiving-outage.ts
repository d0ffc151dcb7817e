import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { connect } from '../../runtime/database/connect.js';
import { startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import { removeHome } from '../../runtime/database/embedded/server-home.js';
import { temporaryFolder } from '../../runtime/kit/temporary-folder.js';
import { withDatabase } from '../../runtime/kit/database.js';
import { withNats } from '../../runtime/testing/shared-nats.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from '../host/host.js';
import { withProxy } from '../../runtime/testing/network-proxy.js';
import { followingService } from './following-service.js';
import { createOrder } from './order-load.js';
import { until } from '../../runtime/kit/until.js';
import { ordersAlone } from './orders-alone.js';

type Client = Awaited<ReturnType<typeof connect>>;

/** Also stores the system records of others. */
const receiving: ServiceDefinition = { ...followingService, receive: 'system' };
const fastUnsafeSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const withHost = async (
  definition: ServiceDefinition,
  env: Readonly<Record<string, string>>,
  body: (host: Host) => Promise<void>,
): Promise<void> => {
  const common = { SVC_PORT: '0', SVC_NAME: definition.name, SVC_AUDIT: 'all', SVC_BROADCAST: '1' };
  const host = await startHost(definition, readConfig({ ...common, ...env }));
  try {
    await body(host);
  } finally {
    await host.stop();
  }
};

const isReady = (host: Host) => async (): Promise<boolean> =>
  (await fetch(`${host.url}/health/ready`)).status === 200;

async function order(host: Host, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await until(async () => (await createOrder(host.url)).status === 200);
}

const rowsOf = async (client: Client, text: string): Promise<unknown[][]> =>
  (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;

async function withClient<T>(url: string, body: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    return await body(client);
  } finally {
    await client.end();
  }
}

const events = 'SELECT stream_id, stream_position, event_id, data::text FROM svc_events ORDER BY event_id';
const sent =
  'SELECT stream_position, event_id, data::text, hash FROM svc_system_events ORDER BY stream_position';
const received = sent.replace('svc_system_events', 'svc_received_system_events');
const countOf = async (client: Client, table: string): Promise<number> =>
  Number((await rowsOf(client, `SELECT count(*) FROM ${table}`))[0]?.[0]);

/** Orders that are sent while PostgreSQL is down are stored once and completely after its start. */
export const receivesAfterOutage = (outageMs: number): Promise<void> =>
  withNats((NATS_URL) =>
    withDatabase(async (near) => {
      const dataDir = await temporaryFolder();
      let server = await startEmbeddedServer({ dataDir, settings: fastUnsafeSettings });
      try {
        await withProxy(server.url, (line) =>
          withHost(ordersAlone, { DATABASE_URL: near, NATS_URL }, (sender) =>
            withHost(receiving, { DATABASE_URL: line.url, NATS_URL }, async (receiver) => {
              await until(isReady(receiver));
              await order(sender, 5);
              await server.stop();
              await order(sender, 20);
              await delay(outageMs);
              assert.is((await fetch(`${receiver.url}/health/live`)).status, 200);
              await until(async () => !(await isReady(receiver)()));
              server = await startEmbeddedServer({ dataDir, settings: fastUnsafeSettings });
              line.route(server.url);
              await order(sender, 5);
              await until(isReady(receiver));
              await withClient(near, (from) =>
                withClient(server.url, async (to) => {
                  const created = await countOf(from, 'svc_events');
                  await until(async () => (await countOf(to, 'svc_events')) >= created);
                  const records = await rowsOf(from, sent);
                  await until(
                    async () => (await countOf(to, 'svc_received_system_events')) >= records.length,
                  );
                  assert.equal(await rowsOf(to, events), await rowsOf(from, events));
                  assert.equal((await rowsOf(to, received)).slice(0, records.length), records);
                  const confirmed = `svc_origins o JOIN svc_received_system_events r
                    ON r.origin = o.origin AND r.stream_position = o.head_position AND r.hash = o.head_hash`;
                  await until(async () => (await countOf(to, confirmed)) === 1);
                }),
              );
            }),
          ),
        );
      } finally {
        await server.stop();
        await removeHome(dataDir);
      }
    }),
  );
