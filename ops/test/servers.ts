import type { ServerHome } from '../../runtime/database/embedded/server-home.js';

/** The environment variables that point test files to the servers started for them. */
export interface Servers {
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/** No server at all. */
export const none: Servers = { env: {}, stop: () => Promise.resolve() };

/** All of them, or none: if one does not start, the others are stopped. */
export async function startAll(starting: readonly Promise<Servers>[]): Promise<Servers> {
  const outcomes = await Promise.allSettled(starting);
  const servers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const stop = async (): Promise<void> => {
    for (const server of servers) await server.stop();
  };
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') continue;
    await stop();
    throw outcome.reason;
  }
  return { env: Object.assign({}, ...servers.map(({ env }) => env)) as NodeJS.ProcessEnv, stop };
}

// Loaded when needed: a unit file alone should start at once.

/** A PostgreSQL, and in it the database that stores are copied from; none once the run is interrupted. */
export async function startPostgres(signal: AbortSignal): Promise<Servers> {
  if (signal.aborted) return none;
  const given = process.env['TEST_DATABASE_URL'];
  // It is not ours to stop.
  if (given) return { env: { SVC_TEST_DATABASE_URL: given }, stop: () => Promise.resolve() };
  const { fastUnsafeSettings, startTemporary } = await import('../../runtime/kit/postgres-server.js');
  const { makeTemplate, templateOn } = await import('../../runtime/testing/migrated-database.js');
  const { copyCluster, makeCluster } = await import('../../runtime/testing/copy-postgres-cluster.js');
  const cluster = await (firstCluster ??= makeCluster(fastUnsafeSettings, makeTemplate));
  if (signal.aborted) return none;
  const { url, stop } = await startTemporary((dataDir) => copyCluster(cluster, dataDir), { settings });
  return { env: { SVC_TEST_DATABASE_URL: url, SVC_TEST_TEMPLATE_URL: templateOn(url) }, stop };
}

/** It would start a process for each of hundreds of databases in turn. */
const settings = { autovacuum: 'off' };

/** The cluster that the servers of all lanes are copied from. */
let firstCluster: Promise<ServerHome> | undefined;

/** A browser; if there is none, the tests that need it report it. */
export async function startBrowser(): Promise<Servers> {
  try {
    const { launchBrowserServer } = await import('../../endpoints/testing/open-browser.js');
    const browser = await launchBrowserServer();
    return { env: { SVC_TEST_BROWSER: browser.wsEndpoint() }, stop: () => browser.close() };
  } catch {
    return none;
  }
}

/** A NATS with accounts that tests claim; without the program, the tests that need it report it. */
export async function startNats(): Promise<Servers> {
  const { withSharedNats } = await import('../../runtime/testing/shared-nats.js');
  return claimed('NATS', withSharedNats);
}

/** A RabbitMQ with virtual hosts that tests claim, in the same way. */
export async function startRabbitMq(): Promise<Servers> {
  const { withSharedRabbitMq } = await import('../../runtime/testing/shared-rabbitmq.js');
  return claimed('AMQP', withSharedRabbitMq);
}

interface SharedBroker {
  readonly url: string;
  readonly claims: string;
}

async function claimed(
  name: string,
  provide: (body: (broker: SharedBroker) => Promise<void>) => Promise<void>,
): Promise<Servers> {
  const { opened } = await import('../../runtime/testing/opened.js');
  try {
    const { value, close } = await opened(provide);
    const { url, claims } = value;
    return { env: { [`SVC_TEST_${name}_URL`]: url, [`SVC_TEST_${name}_CLAIMS`]: claims }, stop: close };
  } catch {
    return none;
  }
}
