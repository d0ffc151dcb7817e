import { resolve } from 'node:path';
import { exists } from '../../runtime/database/embedded/operating-system.js';
import { type EmbeddedServer, startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import type { Config } from './config.js';

/** How hosts and migrations connect to the store. */
export interface StoreUrls {
  readonly runtime: string;
  readonly owner: string;
}

type StoreConfig = Pick<Config, 'databaseUrl' | 'ownerUrl' | 'dataDir'>;

/** Whether the store is configured, or a host has created the folder of an embedded one. */
export const hasStoreFolder = async ({ databaseUrl, dataDir }: StoreConfig): Promise<boolean> =>
  databaseUrl !== undefined || (await exists(resolve(dataDir)));

/** Provides the store of a configuration; the code of an application finds an embedded one in DATABASE_URL, too. */
export async function withStoreUrls<T>(
  { databaseUrl, ownerUrl, dataDir }: StoreConfig,
  body: (urls: StoreUrls) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== undefined) return body({ runtime: databaseUrl, owner: ownerUrl ?? databaseUrl });
  const server = await startEmbeddedServer({ dataDir: resolve(dataDir) });
  const restore = exposeToApplication(server);
  try {
    return await body({ runtime: server.runtimeUrl, owner: server.url });
  } finally {
    restore();
    await server.stop();
  }
}

/** What the processes and the code of an application read to connect to an embedded server. */
export const environmentOf = ({ url, runtimeUrl }: Pick<EmbeddedServer, 'url' | 'runtimeUrl'>) => ({
  DATABASE_URL: runtimeUrl,
  DATABASE_OWNER_URL: url,
});

/** Sets the variables in this process; returns how to restore them. */
export function exposeToApplication(server: Pick<EmbeddedServer, 'url' | 'runtimeUrl'>): () => void {
  const added = environmentOf(server);
  const before = Object.keys(added).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, added);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
