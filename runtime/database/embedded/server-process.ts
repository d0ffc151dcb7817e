import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, run, spawnOptions } from './binaries.js';
import type { ServerHome } from './server-home.js';
import { findProcess, type LiveProcess, poll, readIfExists } from './operating-system.js';

interface LaunchOptions {
  readonly port: number;
  readonly settings: Settings;
  readonly withinMs: number;
}

type Launch =
  | { readonly outcome: 'ready'; readonly postmaster: Postmaster }
  | { readonly outcome: 'failed'; readonly log: string };

export const logFile = (home: ServerHome): string => join(home.folder, 'server.log');

/** Starts the server in its own session: a Ctrl-C meant for this process does not reach it. */
export async function launch(
  home: ServerHome,
  binaries: Binaries,
  { port, settings, withinMs }: LaunchOptions,
): Promise<Launch> {
  const log = await open(logFile(home), 'a', 0o600);
  try {
    const before = (await log.stat()).size;
    const options = serverOptions(home.cluster, settings, port);
    const args = ['start', '-s', '-w', '-t', String(Math.ceil(withinMs / 1000)), '-o', options];
    const child = spawn(binaries.pgCtl, args, {
      ...spawnOptions(home, { PGDATA: home.cluster }),
      // pg_ctl passes its output on to the server, so the account needs no access to the log.
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    });
    await once(child, 'spawn');
    child.unref();
    const postmaster = await readyOrFailed(child, home.cluster, withinMs);
    if (postmaster !== 'failed') return { outcome: 'ready', postmaster };
    const text = (await readFile(logFile(home))).subarray(before).toString();
    return { outcome: 'failed', log: text.trim().slice(-2000) };
  } finally {
    await log.close();
  }
}

/** pg_ctl polls ten times a second and a server is up sooner, but only pg_ctl reports a failure. */
async function readyOrFailed(
  pgCtl: ChildProcess,
  cluster: string,
  withinMs: number,
): Promise<Postmaster | 'failed'> {
  const answer = await poll<Postmaster | 'failed'>(
    async () => {
      const ended = pgCtl.exitCode !== null || pgCtl.signalCode !== null;
      return (await readyPostmaster(cluster)) ?? (ended ? 'failed' : undefined);
    },
    { everyMs: 5, withinMs },
  );
  return answer ?? 'failed';
}

export async function readyPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const found = await findPostmaster(cluster);
  return found.state === 'running' && found.postmaster.status === 'ready' ? found.postmaster : undefined;
}

/** Stops exactly that server; does nothing if it has ended or another runs in its place. */
export async function stopServer(
  home: ServerHome,
  binaries: Binaries,
  { pid }: Pick<Postmaster, 'pid'>,
): Promise<void> {
  if (!(await isRunning(home.cluster, pid))) return;
  try {
    await run(home, binaries.pgCtl, ['stop', '-m', 'fast', '-w', '-D', home.cluster]);
  } catch (error) {
    // pg_ctl reports a failure when the server dies before it can shut down.
    if (await isRunning(home.cluster, pid)) throw error;
  }
}

async function isRunning(cluster: string, pid: number): Promise<boolean> {
  const found = await findPostmaster(cluster);
  return found.state === 'running' && found.postmaster.pid === pid;
}

/** Another process took the port first, or a killed server is still being cleaned up. */
export const isRetryable = (log: string): boolean =>
  /Address already in use|is still in use|lock file "postmaster\.pid" already exists/.test(log);

export type Settings = Readonly<Record<string, string>>;

const defaults: Settings = {
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
};

/** The options of the server, quoted for the shell through which pg_ctl passes them. */
export function serverOptions(
  cluster: string,
  settings: Settings,
  port: number,
  platform: string = process.platform,
): string {
  const own = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) };
  const options = Object.entries({ ...defaults, ...settings, ...own });
  const quoted = options.map(([name, value]) => `-c ${quote(`${name}=${value}`, platform)}`);
  return [`-D ${quote(cluster, platform)}`, ...quoted].join(' ');
}

export const syncsToDisk = (settings: Settings): boolean => settings['fsync'] !== 'off';

const quote = (text: string, platform: string): string =>
  platform === 'win32' ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`;

export interface Postmaster {
  readonly pid: number;
  /** The path of the cluster when the server started. */
  readonly cluster: string;
  readonly port: number;
  readonly status: 'starting' | 'ready' | 'stopping';
}

/** How a `postmaster.pid` is to be interpreted. */
export type Found =
  | { readonly state: 'absent' }
  | { readonly state: 'stale' }
  | { readonly state: 'running'; readonly postmaster: Postmaster };

export const postmasterFile = (cluster: string): string => join(cluster, 'postmaster.pid');

export async function findPostmaster(cluster: string): Promise<Found> {
  const text = await readIfExists(postmasterFile(cluster));
  if (text === undefined) return { state: 'absent' };
  const postmaster = parsePostmaster(text);
  if (!postmaster || !isPostmaster(await findProcess(postmaster.pid), postmaster)) return { state: 'stale' };
  return (await isCopied(postmaster, cluster)) ? { state: 'stale' } : { state: 'running', postmaster };
}

/** Lines: pid, data directory, start time, port, socket directory, address, shared memory, status. */
export function parsePostmaster(text: string): Postmaster | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const [pid, cluster, port] = [Number(lines[0]), lines[1], Number(lines[3])];
  if (!(pid > 0) || !cluster || !(port > 0)) return undefined;
  const status = lines[7] === 'ready' || lines[7] === 'stopping' ? lines[7] : 'starting';
  return { pid, cluster, port, status };
}

/** The pid may have been reused by another program, or by the server of another cluster. */
export function isPostmaster(found: LiveProcess | undefined, { cluster }: Postmaster): boolean {
  if (found?.command === undefined) return found !== undefined;
  return found.command.includes(`postgres -D ${cluster} `);
}

/** A copied folder of a running server contains its `postmaster.pid`. */
async function isCopied(postmaster: Postmaster, cluster: string): Promise<boolean> {
  const ours = await realpath(cluster);
  return (await realpath(postmaster.cluster).catch(() => ours)) !== ours;
}
