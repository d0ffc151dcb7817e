import { execFile } from 'node:child_process';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect } from '../database/connect.js';
import { type EmbeddedServer, startEmbeddedServer } from '../database/embedded-server.js';
import { type ServerHome, openHome, removeHome } from '../database/embedded/server-home.js';
import { findPostmaster } from '../database/embedded/server-process.js';
import { copyCluster, makeCluster } from './copy-postgres-cluster.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { migrate } from '../migrations/migrate.js';
import { until } from '../kit/until.js';

/** A primary and its synchronous standby: a commit returns when the standby has it. */
export interface PostgresPair {
  /** The primary. */
  readonly url: string;
  /** The data folder of the primary. */
  readonly folder: string;
  readonly standbyUrl: string;
  /** Commits wait, as the process that sends to the standby stands still. */
  freezeSender(): Promise<void>;
  /** From now on commits wait; a clean shutdown leaves nothing in a socket that might arrive later. */
  stopStandby(): Promise<void>;
  startStandby(): Promise<void>;
  /** Runs a statement on the primary as its superuser, without waiting for the standby. */
  admin(sql: string, values?: unknown[]): Promise<readonly Record<string, unknown>[]>;
  /** The processes that have committed and wait for the standby. */
  waiting(): Promise<readonly number[]>;
  /** Stops the primary as a power failure does, unless it has ended by itself, and starts it again at its port. */
  crash(): Promise<void>;
  /** Loses the primary at once and promotes the standby, which becomes the only server. */
  failOver(): Promise<string>;
  /** After a failover: a copy of the promoted server becomes its standby, at whatever cost to those who use it. */
  replaceLost(): Promise<void>;
}

/** Provides a migrated pair; it is removed afterwards. */
export async function withPostgresPair<T>(
  body: (pair: PostgresPair) => Promise<T>,
  settings: ServerSettings = fastSettings,
  given?: readonly [string, string],
): Promise<T> {
  const folders = given ?? ([await temporaryFolder(), await temporaryFolder()] as const);
  const pair = new RunningPair(folders, settings);
  try {
    await pair.start();
    return await body(pair);
  } finally {
    await pair.stop();
    await Promise.all(folders.map(removeHome));
  }
}

/** Killing one of its processes makes the server run crash recovery. */
export async function crashAndRecover({ admin }: Pick<PostgresPair, 'admin'>): Promise<void> {
  const text = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'";
  const [row] = await admin(text);
  process.kill(Number(row?.['pid']), 'SIGKILL');
  await until(async () => {
    const now = await admin(text).catch(() => []);
    return now[0] !== undefined && now[0]['pid'] !== row?.['pid'];
  });
}

const standbyName = 'other';
// These tests lose data by promoting the standby, never by a power failure.
const fastSettings = { fsync: 'off', full_page_writes: 'off', max_wal_senders: '4' };

/** For hosts that refuse others. */
export const durableSettings = { max_wal_senders: '4' };

type ServerSettings = Readonly<Record<string, string>>;

class RunningPair implements PostgresPair {
  #primary: EmbeddedServer | undefined;
  #standby: EmbeddedServer | undefined;
  #here: string;
  #there: string;
  #admin: PostgresPair['admin'] = () => Promise.resolve([]);
  readonly #running = new Set<EmbeddedServer>();
  readonly #frozen = new Set<number>();

  constructor(
    folders: readonly [string, string],
    private readonly settings: ServerSettings,
  ) {
    [this.#here, this.#there] = folders;
  }

  get url(): string {
    return this.#primary?.url ?? '';
  }

  get standbyUrl(): string {
    return this.#standby?.url ?? '';
  }

  get folder(): string {
    return this.#here;
  }

  readonly admin: PostgresPair['admin'] = (sql, values) => this.#admin(sql, values);

  async start(): Promise<void> {
    const pristine = await (template ??= makeTemplate());
    for (const dataDir of [this.#here, this.#there]) await copyCluster(pristine, dataDir);
    await this.#startPrimary();
    await this.#replicate();
  }

  async stop(): Promise<void> {
    // A server waits for its processes, and a stopped one does not end.
    for (const pid of this.#frozen) process.kill(pid, 'SIGCONT');
    await Promise.all([...this.#running].map((server) => server.stop()));
  }

  waiting(): Promise<readonly number[]> {
    return waitingFor(this.#admin);
  }

  async freezeSender(): Promise<void> {
    this.#frozen.add(await freezeSender(this.#admin));
  }

  stopStandby(): Promise<void> {
    return this.#end(this.#standby);
  }

  async startStandby(): Promise<void> {
    this.#standby = await this.#begin(this.#there);
    await replicating(this.#admin);
  }

  async crash(): Promise<void> {
    await this.#killPrimary();
    await this.#startPrimary();
    await replicating(this.#admin);
  }

  async failOver(): Promise<string> {
    await this.#killPrimary();
    if (this.#standby === undefined || !this.#running.has(this.#standby))
      this.#standby = await this.#begin(this.#there);
    await promote(this.#standby.url);
    [this.#here, this.#there] = [this.#there, this.#here];
    this.#use(this.#standby);
    return this.url;
  }

  async replaceLost(): Promise<void> {
    // Only a server that does not run can be copied as it is.
    await this.#end(this.#primary);
    await removeHome(this.#there);
    await copyCluster(await openHome(this.#here), this.#there);
    await this.#startPrimary();
    await this.#replicate();
  }

  async #killPrimary(): Promise<void> {
    await killAtOnce(await openHome(this.#here), this.#frozen);
    await this.#end(this.#primary);
  }

  /** At the port that it had. */
  async #startPrimary(): Promise<void> {
    const port = this.#primary === undefined ? {} : { port: Number(new URL(this.#primary.url).port) };
    this.#use(await this.#begin(this.#here, port));
  }

  #use(server: EmbeddedServer): void {
    this.#primary = server;
    this.#admin = administrator(server.url);
  }

  /** Makes the copy of the primary its standby. */
  async #replicate(): Promise<void> {
    await follow(await openHome(this.#there), this.url);
    this.#standby = await this.#begin(this.#there);
    await this.#admin(`ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`);
    await this.#admin('SELECT pg_reload_conf()');
    await replicating(this.#admin);
  }

  async #begin(dataDir: string, port: { readonly port?: number } = {}): Promise<EmbeddedServer> {
    const server = await startEmbeddedServer({ dataDir, settings: this.settings, ...port });
    this.#running.add(server);
    return server;
  }

  async #end(server: EmbeddedServer | undefined): Promise<void> {
    await server?.stop();
    if (server !== undefined) this.#running.delete(server);
  }
}

let template: Promise<ServerHome> | undefined;
const makeTemplate = (): Promise<ServerHome> =>
  makeCluster(fastSettings, (ownerUrl) => migrate({ ownerUrl }));

async function follow({ cluster, account }: ServerHome, primary: string): Promise<void> {
  const { hostname, port, username, password } = new URL(primary);
  const source = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  const files = {
    'standby.signal': '',
    'postgresql.auto.conf': `primary_conninfo = '${source} application_name=${standbyName}'\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(cluster, name), text);
    if (account !== undefined) await chown(join(cluster, name), account.uid, account.gid);
  }
}

async function waitingFor(admin: PostgresPair['admin']): Promise<readonly number[]> {
  const rows = await admin("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  return rows.map(({ pid }) => Number(pid));
}

async function freezeSender(admin: PostgresPair['admin']): Promise<number> {
  const [row] = await admin('SELECT pid FROM pg_stat_replication');
  const pid = Number(row?.['pid']);
  process.kill(pid, 'SIGSTOP');
  const state = () => promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]);
  await until(async () => (await state()).stdout.startsWith('T'));
  return pid;
}

async function replicating(admin: PostgresPair['admin']): Promise<void> {
  const text = "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'";
  await until(async () => (await admin(text)).length > 0);
}

/** As if its machine were lost: nothing more is sent. */
async function killAtOnce({ cluster }: ServerHome, frozen: Set<number>): Promise<void> {
  const found = await findPostmaster(cluster);
  if (found.state !== 'running') return;
  process.kill(found.postmaster.pid, 'SIGQUIT');
  // A stopped process takes no other signal.
  for (const pid of frozen) process.kill(pid, 'SIGKILL');
  frozen.clear();
  while ((await findPostmaster(cluster)).state === 'running') await sleep(20);
}

/** On one connection, as tests ask again and again; on a new one after that was lost. */
function administrator(url: string): PostgresPair['admin'] {
  let open: ReturnType<typeof connect> | undefined;
  return async (sql, values = []) => {
    open ??= connectLocally(url);
    try {
      return (await (await open).query<Record<string, unknown>>(sql, values)).rows;
    } catch (error) {
      open = undefined;
      throw error;
    }
  };
}

async function connectLocally(url: string): ReturnType<typeof connect> {
  const client = await connect(url);
  await client.query('SET synchronous_commit = local');
  return client;
}

async function promote(url: string): Promise<void> {
  const client = await connect(url);
  await client.query('SELECT pg_promote(true, 60)');
  await client.end();
}
