import { resolve } from 'node:path';
import { Problem } from '../../contracts/problems.js';
import { type EmbeddedServer, startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import type { Config } from '../config/config.js';
import { loadService } from '../service/load-service.js';
import { exposeToApplication } from '../config/store-urls.js';
import { type Host, startHost } from './host.js';

interface StartedHost extends Host {
  /** The name of the service. */
  readonly name: string;
  /** Unless the database is configured. */
  readonly embedded: EmbeddedServer | undefined;
}

/**
 * Starts the host of an application. The embedded server starts before the application is loaded, because its code may
 * open connections of its own to DATABASE_URL as soon as it is imported.
 */
export async function startHostOf(app: string, config: Config, ending: AbortSignal): Promise<StartedHost> {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedServer({ dataDir: resolve(config.dataDir), signal: ending, keepsRunning: true })
      : undefined;
  if (embedded !== undefined) exposeToApplication(embedded);
  try {
    mustContinue(ending);
    const definition = await loadService(app);
    mustContinue(ending);
    const host = await startHost(definition, config, undefined, { embedded, signal: ending });
    return Object.assign(host, { name: definition.name, embedded });
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** The first start of a server takes a while: a host that is to end by then need not begin. */
function mustContinue(ending: AbortSignal): void {
  if (ending.aborted) throw new Problem('draining');
}
