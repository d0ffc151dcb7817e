import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Problem } from '../../contracts/problems.js';
import {
  type Binaries,
  findPlatformPackage,
  platformPackageAt,
  prepareBinaries,
  removeLeftovers,
} from './embedded/binaries.js';
import { type Ownership, acquireOwnership, findOwner } from './embedded/ownership.js';
import { keepRunning } from './embedded/keep-running.js';
import { createCluster, ensureLogin, passwordFile, urlOf } from './embedded/cluster.js';
import { type ServerHome, openHome } from './embedded/server-home.js';
import {
  findPostmaster,
  type Found,
  launch,
  logFile,
  isRetryable,
  type Postmaster,
  postmasterFile,
  readyPostmaster,
  type Settings,
  stopServer,
  syncsToDisk,
} from './embedded/server-process.js';
import { exists, freePort, poll } from './embedded/operating-system.js';

export interface EmbeddedServer {
  /** Logs in as the owner of the database. */
  readonly url: string;
  /** Logs in as a role that owns nothing, for everything but migrations. */
  readonly runtimeUrl: string;
  /** Holds the password of the owner. */
  readonly passwordFile: string;
  /** It was already running, left behind by an owner that died; it keeps its settings. */
  readonly adopted: boolean;
  /** Stops the server if this process owns it. */
  stop(): Promise<void>;
}

interface EmbeddedServerOptions {
  readonly dataDir: string;
  readonly settings?: Settings;
  /** The folder of the package with its programs; unset: the one that npm has installed. */
  readonly programs?: string;
  /** Aborted: a server that does not run yet is not launched anymore. */
  readonly signal?: AbortSignal;
  /** Start it again, on its port, when something else has stopped it. */
  readonly keepsRunning?: boolean;
  /** Unset: any that is free. */
  readonly port?: number;
}

/** Crash recovery replays the log before it accepts connections. */
const startTimeoutMs = 120_000;

/** The PostgreSQL of a data folder: started and owned, adopted from a dead owner, or shared with a live one. */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir);
  try {
    const home = await openHome(dataDir);
    const polling = { everyMs: 20, withinMs: startTimeoutMs };
    const server = await poll(() => startOrAttach(home, options), polling);
    return server ?? (await reportNotReady(home));
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const detail = `PostgreSQL does not start in ${dataDir}: ${reason}. Set DATABASE_URL to use your own server.`;
    throw new Problem('invalid-setup', { detail, cause });
  }
}

type Manner = Omit<EmbeddedServerOptions, 'dataDir'>;

async function startOrAttach(home: ServerHome, manner: Manner): Promise<EmbeddedServer | undefined> {
  mustContinue(manner);
  const ownership = await acquireOwnership(home.folder);
  if (ownership) return startAsOwner(home, ownership, manner);
  const postmaster = await readyPostmaster(home.cluster);
  if (!postmaster) return undefined;
  return { ...(await loginOf(home, postmaster.port)), adopted: false, stop: () => Promise.resolve() };
}

async function startAsOwner(home: ServerHome, ownership: Ownership, manner: Manner): Promise<EmbeddedServer> {
  try {
    const { programs } = manner;
    const found = await (programs === undefined ? findPlatformPackage() : platformPackageAt(programs));
    const binaries = await prepareBinaries(found, home);
    const { postmaster, adopted } = await ensureRunning(home, binaries, manner);
    const { port } = postmaster;
    let { pid } = postmaster;
    const kept =
      manner.keepsRunning === true
        ? keepRunning({
            isRunning: async () => (await findPostmaster(home.cluster)).state === 'running',
            start: async () => {
              ({ pid } = (await ensureRunning(home, binaries, { ...manner, port })).postmaster);
            },
          })
        : undefined;
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= stopAll());
    const stopAll = async (): Promise<void> => {
      await kept?.stop();
      await stopServer(home, binaries, { pid });
      await ownership.release();
    };
    return { ...(await loginOf(home, port)), adopted, stop };
  } catch (error) {
    await ownership.release();
    throw error;
  }
}

type Login = Pick<EmbeddedServer, 'url' | 'runtimeUrl' | 'passwordFile'>;

async function loginOf(home: ServerHome, port: number): Promise<Login> {
  const url = await urlOf(home, port);
  return { url, runtimeUrl: await ensureLogin(url), passwordFile: passwordFile(home) };
}

async function reportNotReady(home: ServerHome): Promise<never> {
  const owner = await findOwner(home.folder);
  throw new Problem('invalid-setup', {
    detail: `Process ${owner?.pid ?? '?'} owns ${home.folder}, but its server is not ready: stop the process and start again.`,
  });
}

interface Running {
  readonly postmaster: Postmaster;
  /** It was already running, left behind by an owner that died. */
  readonly adopted: boolean;
}

/** For the owner of the home: finds its server running, or starts it. */
export async function ensureRunning(home: ServerHome, binaries: Binaries, manner: Manner): Promise<Running> {
  const { settings = {}, port } = manner;
  const found = await waitUntilSettled(home.cluster);
  if (found.state === 'running') return { postmaster: found.postmaster, adopted: true };
  await removeLeftovers(home.folder, binaries);
  mustContinue(manner);
  if (!(await exists(home.cluster))) {
    const password = randomBytes(24).toString('base64url');
    await createCluster(home, binaries, { password, fsync: syncsToDisk(settings) });
  }
  mustContinue(manner);
  if (await exists(logFile(home))) await rename(logFile(home), `${logFile(home)}.previous`);
  const launchIt = () => tryToLaunch(home, binaries, settings, port);
  const running = await poll(launchIt, { everyMs: 50, withinMs: 30_000 });
  if (running) return running;
  throw new Problem('invalid-setup', { detail: `PostgreSQL does not start: see ${logFile(home)}.` });
}

/** The first start of a server takes a while, and a server outlives the process that launches it. */
function mustContinue({ signal }: Manner): void {
  if (signal?.aborted) throw new Problem('draining');
}

/** Waits until the server is neither starting nor stopping. */
async function waitUntilSettled(cluster: string): Promise<Found> {
  const found = await poll(
    async () => {
      const now = await findPostmaster(cluster);
      return now.state === 'running' && now.postmaster.status !== 'ready' ? undefined : now;
    },
    { everyMs: 20, withinMs: startTimeoutMs },
  );
  if (found) return found;
  throw new Problem('invalid-setup', { detail: `The server of ${cluster} neither starts nor stops.` });
}

async function tryToLaunch(
  home: ServerHome,
  binaries: Binaries,
  settings: Settings,
  port?: number,
): Promise<Running | undefined> {
  const found = await waitUntilSettled(home.cluster);
  if (found.state === 'running') return { postmaster: found.postmaster, adopted: true };
  if (found.state === 'stale') await rm(postmasterFile(home.cluster), { force: true });
  const launched = await launch(home, binaries, {
    port: port ?? (await freePort()),
    settings,
    withinMs: startTimeoutMs,
  });
  if (launched.outcome === 'ready') return { postmaster: launched.postmaster, adopted: false };
  if (isRetryable(launched.log)) return undefined;
  throw new Problem('invalid-setup', { detail: `PostgreSQL does not start: ${launched.log}` });
}
