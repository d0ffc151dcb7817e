import { connect } from 'nats';
import { freePort } from '../database/embedded/operating-system.js';
import { type NatsServer, withNatsServer } from './nats-server.js';
import { until } from '../kit/until.js';

/** Three brokers with JetStream that form a cluster. */
export interface NatsCluster {
  /** All of them, as `NATS_URL` lists them. */
  readonly url: string;
  /** By the name that the brokers give each other. */
  readonly servers: ReadonlyMap<string, NatsServer>;
}

const names = ['one', 'two', 'three'];

export async function withNatsCluster(body: (cluster: NatsCluster) => Promise<void>): Promise<void> {
  const ports: number[] = [];
  for (const _ of names) ports.push(await freePort());
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`);
  const settingsOf = (index: number): readonly string[] => [
    ...['--name', names[index] ?? '', '--cluster_name', 'svc'],
    ...['--cluster', routes[index] ?? '', '--routes', routes.join(',')],
  ];
  const started = new Map<string, NatsServer>();
  const startFrom = async (index: number): Promise<void> => {
    const name = names[index];
    if (name === undefined) {
      const hosts = [...started.values()].map(({ url }) => url.replace('nats://', ''));
      await untilFormed(hosts);
      return body({ url: `nats://${hosts.join(',')}`, servers: started });
    }
    return withNatsServer((server) => {
      started.set(name, server);
      return startFrom(index + 1);
    }, settingsOf(index));
  };
  await startFrom(0);
}

/** When all three can hold a stream. */
const untilFormed = async (servers: string[]): Promise<void> => {
  await until(async () => {
    const connection = await connect({ servers }).catch(() => undefined);
    const formed = await connection
      ?.jetstreamManager()
      .then(async ({ streams }) => {
        await streams.add({ name: 'FORMED', subjects: ['formed'], num_replicas: names.length });
        return streams.delete('FORMED');
      })
      .catch(() => false);
    await connection?.close();
    return formed === true;
  });
};
