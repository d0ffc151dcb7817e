import { resolve } from 'node:path';
import { exists } from '../../runtime/database/embedded/operating-system.js';
import { startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import type { Config } from '../config.js';

/** How hosts and migrations connect to the store. */
export interface StoreUrls {
  readonly runtime: string;
  readonly owner: string;
}

/** Provides the store of a configuration; undefined if a host would create the embedded one at its first start. */
export async function withStoreUrls<T>(
  { databaseUrl, ownerUrl, dataDir }: Config,
  body: (urls: StoreUrls | undefined) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== undefined) return body({ runtime: databaseUrl, owner: ownerUrl ?? databaseUrl });
  if (!(await exists(resolve(dataDir)))) return body(undefined);
  const server = await startEmbeddedServer({ dataDir: resolve(dataDir) });
  try {
    return await body({ runtime: server.runtimeUrl, owner: server.url });
  } finally {
    await server.stop();
  }
}
