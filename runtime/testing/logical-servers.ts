import { removeHome } from '../database/embedded/server-home.js';
import { type EmbeddedServer, startEmbeddedServer } from '../database/embedded-server.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { copyCluster, makeCluster } from './copy-postgres-cluster.js';

/** Tests kill movers, and no server. */
const settings = {
  fsync: 'off',
  wal_level: 'logical',
  max_wal_senders: '20',
  max_replication_slots: '40',
  max_worker_processes: '24',
  max_logical_replication_workers: '16',
  max_sync_workers_per_subscription: '6',
};

interface LogicalServers {
  /** Each with an empty database, and the same owner. */
  readonly urls: readonly [string, string];
  /** As hosts list both. */
  readonly listed: string;
}

/** Provides two servers that can replicate to each other; they are removed afterwards. */
export async function withLogicalServers(body: (servers: LogicalServers) => Promise<void>): Promise<void> {
  const cluster = await (template ??= makeCluster({ fsync: 'off' }));
  const folders = [await temporaryFolder(), await temporaryFolder()] as const;
  const running: EmbeddedServer[] = [];
  try {
    for (const dataDir of folders) {
      await copyCluster(cluster, dataDir);
      running.push(await startEmbeddedServer({ dataDir, settings }));
    }
    const urls = [running[0]?.url ?? '', running[1]?.url ?? ''] as const;
    await body({ urls, listed: listOf(urls) });
  } finally {
    await Promise.all(running.map((server) => server.stop()));
    await Promise.all(folders.map(removeHome));
  }
}

let template: ReturnType<typeof makeCluster> | undefined;

/** One URL for both; the login and the name of the database are the same. */
export const listOf = ([first, second]: readonly [string, string]): string => {
  const { host } = new URL(first);
  return first.replace(host, `${host},${new URL(second).host}`);
};
