import { resolve } from 'node:path';
import { type EmbeddedServer, startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import { freePort } from '../../runtime/database/embedded/operating-system.js';
import { generatorOf } from './service-generator.js';
import type { Config } from '../config/config.js';
import { portMustBeFree } from '../host/startup-server.js';
import { environmentOf } from '../config/store-urls.js';
import { DevBuild } from './build.js';
import { RestartOnChange } from './restart-on-change.js';
import { DevHosts } from './hosts.js';

/** Builds and runs a service, and does so again after every change, until a signal ends it. */
export async function runDev(
  app: string,
  config: Config,
  { acceptEvents, json }: { readonly acceptEvents: boolean; readonly json: boolean },
): Promise<void> {
  const build = new DevBuild(await generatorOf(resolve(app), { acceptEvents }));
  await portMustBeFree(config);
  const servers = openServers(config);
  const options = { generatedToken: config.generatedToken, json };
  const starting = servers.then(
    ({ env, embedded }) =>
      new RestartOnChange(build, new DevHosts(app, env, options), { ...config, embedded }),
  );
  let ending: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    await (await starting).stop();
    await (await servers).stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void (ending ??= end()));
  (await starting).start();
}

interface Servers {
  /** For every host. */
  readonly env: Readonly<Record<string, string>>;
  /** Unless the database is configured. */
  readonly embedded?: EmbeddedServer;
  stop(): Promise<void>;
}

/** The embedded server outlives every host, and so does the port. */
async function openServers({ port, databaseUrl, dataDir }: Config): Promise<Servers> {
  const env = { SVC_PORT: String(port === 0 ? await freePort() : port) };
  if (databaseUrl !== undefined) return { env, stop: () => Promise.resolve() };
  const server = await startEmbeddedServer({ dataDir: resolve(dataDir), keepsRunning: true });
  return {
    env: { ...env, ...environmentOf(server) },
    embedded: server,
    stop: () => server.stop(),
  };
}
