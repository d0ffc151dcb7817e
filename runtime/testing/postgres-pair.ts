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
  /** Loses the primary at once and promotes the standby, which becomes the only server. */
  failOver(): Promise<string>;
}

/** Provides a migrated pair; it is removed afterwards. */
export async function withPostgresPair<T>(
  body: (pair: PostgresPair) => Promise<T>,
  settings: ServerSettings = fastSettings,
): Promise<T> {
  const folders = [await temporaryFolder(), await temporaryFolder()] as const;
  const running = new Set<EmbeddedServer>();
  const frozen = new Set<number>();
  try {
    return await body(await startPair(folders, running, frozen, settings));
  } finally {
    // A server waits for its processes, and a stopped one does not end.
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
    await Promise.all([...running].map((server) => server.stop()));
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

async function startPair(
  [here, there]: readonly [string, string],
  running: Set<EmbeddedServer>,
  frozen: Set<number>,
  settings: ServerSettings,
): Promise<PostgresPair> {
  const start = async (dataDir: string): Promise<EmbeddedServer> => {
    const server = await startEmbeddedServer({ dataDir, settings });
    running.add(server);
    return server;
  };
  const stop = async (server: EmbeddedServer): Promise<void> => {
    await server.stop();
    running.delete(server);
  };
  const pristine = await (template ??= makeTemplate());
  for (const dataDir of [here, there]) await copyCluster(pristine, dataDir);
  const primary = await start(here);
  const admin: PostgresPair['admin'] = administrator(primary.url);
  await follow(await openHome(there), primary.url);
  let standby = await start(there);
  await admin(`ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`);
  await admin('SELECT pg_reload_conf()');
  await replicating(admin);
  return {
    url: primary.url,
    admin,
    waiting: () => waitingFor(admin),
    get standbyUrl() {
      return standby.url;
    },
    freezeSender: async () => {
      frozen.add(await freezeSender(admin));
    },
    stopStandby: () => stop(standby),
    startStandby: async () => {
      standby = await start(there);
      await replicating(admin);
    },
    failOver: async () => {
      await killAtOnce(await openHome(here), frozen);
      await stop(primary);
      if (!running.has(standby)) standby = await start(there);
      await promote(standby.url);
      return standby.url;
    },
  };
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
