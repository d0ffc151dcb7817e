import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import { run, spawnOptions } from './command.js';
import type { Home } from './home.js';
import { poll } from './poll.js';
import { findPostmaster, type Postmaster } from './postmaster.js';
import { serverOptions, type Settings } from './settings.js';

export interface LaunchOptions {
  readonly port: number;
  readonly settings: Settings;
  readonly withinMs: number;
}

export type Launch =
  | { readonly outcome: 'ready'; readonly postmaster: Postmaster }
  | { readonly outcome: 'failed'; readonly log: string };

export const logFile = (home: Home): string => join(home.folder, 'server.log');

/** Starts the server in a session of its own: a Ctrl-C meant for us does not reach it. */
export async function launch(
  home: Home,
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
      // pg_ctl hands its output on to the server, so the account needs no right to the log.
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

/** pg_ctl looks ten times a second, a server is up sooner; but only pg_ctl knows when it has failed. */
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

/** Stops that very server; if it is gone, or another runs in its place, there is nothing to do. */
export async function stopServer(home: Home, binaries: Binaries, { pid }: Postmaster): Promise<void> {
  if (!(await isRunning(home.cluster, pid))) return;
  try {
    await run(home, binaries.pgCtl, ['stop', '-m', 'fast', '-w', '-D', home.cluster]);
  } catch (error) {
    // pg_ctl takes it for a failure when the server dies before it can shut down.
    if (await isRunning(home.cluster, pid)) throw error;
  }
}

async function isRunning(cluster: string, pid: number): Promise<boolean> {
  const found = await findPostmaster(cluster);
  return found.state === 'running' && found.postmaster.pid === pid;
}

/** Somebody took the port first, or what a killed server left behind is still going away. */
export const mayWorkNextTime = (log: string): boolean =>
  /Address already in use|is still in use|lock file "postmaster\.pid" already exists/.test(log);
