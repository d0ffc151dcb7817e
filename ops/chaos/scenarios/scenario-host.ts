import { freePort } from '../../../runtime/database/embedded/operating-system.js';
import { connect } from '../../../runtime/database/connect.js';
import { Clients } from '../harness/clients.js';
import { inStore } from '../harness/cluster-queries.js';
import { KillableHost } from '../harness/killable-host.js';
import { type Expectation, holdsWithin } from './scenario.js';

/** A host of a scenario and its address. */
interface ScenarioHost {
  readonly host: KillableHost;
  readonly url: string;
}

/** Starts a host of the orders example, or of the given application, and waits until it is ready. */
export async function startReadyHost(
  name: string,
  env: Readonly<Record<string, string>>,
  args?: readonly string[],
): Promise<ScenarioHost> {
  const port = String(await freePort());
  const host = new KillableHost({ SVC_NAME: name, SVC_PORT: port, SVC_LOG: 'error', ...env }, args);
  host.start();
  const url = `http://127.0.0.1:${port}`;
  await holdsWithin(`${name} is ready`, 60_000, () => isReady(url));
  return { host, url };
}

export const statusOf = async (url: string, path: string): Promise<number> => {
  const answer = await fetch(new URL(path, url), { signal: AbortSignal.timeout(5_000) });
  await answer.body?.cancel();
  return answer.status;
};

export const isReady = async (url: string): Promise<boolean> =>
  (await statusOf(url, '/health/ready')) === 200;

/** Runs the body and always stops clients and hosts. */
export async function withLoad(
  hosts: readonly ScenarioHost[],
  seed: number,
  count: number,
  body: (clients: readonly Clients[]) => Promise<void>,
): Promise<void> {
  const clients = hosts.map(({ url }, index) => new Clients(url, seed * 10 + index, count));
  try {
    await body(clients);
  } finally {
    await Promise.all(clients.map((each) => each.stop()));
    await Promise.all(hosts.map(({ host }) => host.stop()));
  }
}

export const createDatabase = async (server: string, name: string): Promise<string> => {
  const client = await connect(server);
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
};

const numberIn = (url: string, text: string): Promise<number> =>
  inStore(url, async (database) => Number((await database.rows({ text }))[0]?.[0]));

const outboxCursor = (url: string): Promise<number> =>
  numberIn(url, "SELECT position FROM svc_cursors WHERE name = 'outbox'");
const pendingIn = (url: string): Promise<number> => numberIn(url, 'SELECT count(*) FROM svc_outbox_pending');
const logHead = (url: string): Promise<number> =>
  numberIn(url, 'SELECT coalesce(max(global_position), 0) FROM svc_event_stream');
export const outboxLeaseIsHeld = async (url: string): Promise<boolean> =>
  (await numberIn(url, "SELECT count(*) FROM svc_cursors WHERE name = 'outbox' AND owner IS NOT NULL")) > 0;

/** The relay publishes what is committed from now on. */
export async function relayAdvances(url: string, limitMs: number): Promise<Expectation> {
  const now = await logHead(url);
  return holdsWithin('messages are published', limitMs, async () => (await outboxCursor(url)) > now);
}

export const outboxIsDrained = (url: string): Promise<Expectation> =>
  holdsWithin('nothing is unpublished at the end', 30_000, async () => (await pendingIn(url)) === 0);
