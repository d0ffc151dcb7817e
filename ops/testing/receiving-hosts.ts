import { newUuid } from '../../contracts/uuid.js';
import type { Transport } from '../../contracts/transport.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { connect } from '../../runtime/database/connect.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import { InProcessTransport } from '../../runtime/transport/in-process-transport.js';
import { natsTransport } from '../../runtime/transport/nats-transport.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from '../host/host.js';
import { createOrder } from './order-load.js';

export const broadcasting = { SVC_AUDIT: 'all', SVC_BROADCAST: '1' };

interface Scene {
  readonly host: Host;
  readonly url: string;
  readonly rows: (sql: string) => Promise<string[][]>;
}

/** A host with its own store. */
export const withHost = (
  definition: ServiceDefinition,
  env: Record<string, string>,
  transport: Transport,
  body: (scene: Scene) => Promise<void>,
): Promise<void> =>
  withStore(async (url) => {
    const config = readConfig({ SVC_PORT: '0', SVC_NAME: definition.name, DATABASE_URL: url, ...env });
    const host = await startHost(definition, config, transport);
    const client = await connect(url);
    const rows = async (sql: string) =>
      (await client.query<string[]>({ text: sql, rowMode: 'array' })).rows.map((row) => row.map(String));
    try {
      await body({ host, url, rows });
    } finally {
      await client.end();
      await host.stop();
    }
  });

export const count = async ({ rows }: Scene, from: string): Promise<number> =>
  Number((await rows(`SELECT count(*) FROM ${from}`))[0]?.[0]);

/** A busy machine makes a host refuse some at first. */
export const order = ({ host }: Scene): Promise<number> =>
  until(async () => (await createOrder(host.url)).status === 200);

export const isSubscribed = async ({ host }: Scene): Promise<boolean> => {
  const answer = (await (await fetch(`${host.url}/health`)).json()) as {
    checks: { name: string; status: string }[];
  };
  const inTree = host.tree.some(({ name, state }) => name === 'subscriber' && state === 'running');
  return inTree && answer.checks.some(({ name, status }) => name === 'subscriptions' && status === 'Healthy');
};

interface World {
  /** A transport for one host that is connected to those of the others. */
  readonly transport: () => Transport;
}

export const inOneProcess = (body: (world: World) => Promise<void>): Promise<void> => {
  const shared = new InProcessTransport();
  // Each host closes its own.
  const lent = { close: () => Promise.resolve() };
  return body({ transport: () => new Proxy(shared, { get: (of, name) => get(of, lent, name) }) });
};

function get(of: object, instead: Readonly<Record<string, unknown>>, name: string | symbol): unknown {
  if (typeof name === 'string' && name in instead) return instead[name];
  const value: unknown = Reflect.get(of, name);
  return typeof value === 'function' ? (value.bind(of) as unknown) : value;
}

export const overNats = (body: (world: World) => Promise<void>): Promise<void> =>
  withNats((url) => body({ transport: () => natsTransport({ url, name: `test-${newUuid()}` }) }));
