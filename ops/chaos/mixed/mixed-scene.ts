import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withFolder } from '../../../runtime/kit/temporary-folder.js';
import { type NatsServer, withNatsServer } from '../../../runtime/testing/nats-server.js';
import { type NetworkProxy, withProxy } from '../../../runtime/testing/network-proxy.js';
import {
  durableSettings,
  type PostgresPair,
  withPostgresPair,
} from '../../../runtime/testing/postgres-pair.js';
import { builtForProcess } from '../../../runtime/testing/process-root.js';
import { type SmallDisk, withSmallDisk } from '../../../runtime/testing/small-disk.js';
import { type RunningProvider, startProvider } from '../effects/running-provider.js';
import { type FakeClock, fakeClock } from '../harness/fake-clock.js';
import { type ScenarioHost, startReadyHost } from '../scenarios/scenario-host.js';
import { type DeployedHosts, withDeployedHosts } from './deployed-hosts.js';

/** A host that is started again whenever it ends. */
export interface MixedHost extends ScenarioHost {
  readonly name: string;
  readonly clock: FakeClock;
  /** Its way to the database. */
  readonly way: NetworkProxy;
}

/** What faults happen to. */
export interface MixedScene {
  readonly pair: PostgresPair;
  /** The disk of the primary. */
  readonly disk: () => SmallDisk;
  readonly nats: NatsServer;
  readonly hosts: readonly MixedHost[];
  readonly deployed: DeployedHosts;
  /** The way of everybody else to the database. */
  readonly front: NetworkProxy;
  readonly provider: RunningProvider;
}

/** The application of the hosts. */
export const service = fileURLToPath(builtForProcess(new URL('./mixed-service.js', import.meta.url)));

const names = ['north', 'south'];
/** In memory, as far as it is used. */
const diskSize = '6g';
const serverSettings = {
  ...durableSettings,
  max_connections: '200',
  max_wal_size: '128MB',
  // A standby that was away for a moment finds what it has missed, and looks for it soon.
  wal_keep_size: '128MB',
  wal_retrieve_retry_interval: '500ms',
};

export const withMixedScene = (seed: number, body: (scene: MixedScene) => Promise<void>): Promise<void> =>
  withFolder((folder) =>
    withPair((pair, disk) =>
      withNatsServer((nats) =>
        withProxy(pair.url, async (front) => {
          const provider = await startProvider({ seed });
          const env = { NATS_URL: nats.url, MIXED_PROVIDER: provider.address, SVC_DURABILITY: 'sync' };
          try {
            await withDeployedHosts(service, { ...env, DATABASE_URL: front.url }, (deployed) =>
              withHosts({ folder, env, url: pair.url }, (hosts) =>
                body({ pair, disk, nats, hosts, deployed, front, provider }),
              ),
            );
          } finally {
            await provider.stop();
          }
        }),
      ),
    ),
  );

/** Each server has a disk of its own. */
const withPair = (body: (pair: PostgresPair, disk: () => SmallDisk) => Promise<void>): Promise<void> =>
  withSmallDisk(diskSize, (one) =>
    withSmallDisk(diskSize, (other) =>
      withPostgresPair(
        (pair) => body(pair, () => (pair.folder === one.folder ? one : other)),
        serverSettings,
        [one.folder, other.folder],
      ),
    ),
  );

interface Surroundings {
  /** Of the clocks. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Of the database. */
  readonly url: string;
}

async function withHosts(
  surroundings: Surroundings,
  body: (hosts: readonly MixedHost[]) => Promise<void>,
  hosts: readonly MixedHost[] = [],
): Promise<void> {
  const name = names[hosts.length];
  if (name === undefined) return body(hosts);
  const { folder, env, url } = surroundings;
  await withProxy(url, async (way) => {
    const clock = await fakeClock(join(folder, name), { threads: true });
    const own = { ...env, ...clock.env, DATABASE_URL: way.url };
    const started = await startReadyHost(name, own, ['start', service]);
    try {
      await withHosts(surroundings, body, [...hosts, { ...started, name, clock, way }]);
    } finally {
      await started.host.stop();
    }
  });
}
