import { resolve } from 'node:path';
import { Problem } from '../../contracts/problems.js';
import { prepareBinaries } from './embedded/binaries.js';
import { bringUp, patienceMs } from './embedded/bring-up.js';
import { claimOwnership, findOwner, type Claim } from './embedded/claim.js';
import { urlOf } from './embedded/cluster.js';
import { openHome, type Home } from './embedded/home.js';
import { ensureLogin } from './embedded/login.js';
import { findPlatformPackage } from './embedded/platform-package.js';
import { poll } from './embedded/poll.js';
import { readyPostmaster, stopServer } from './embedded/server-process.js';
import type { Settings } from './embedded/settings.js';

export interface EmbeddedServer {
  /** Logs in as the owner of everything. */
  readonly url: string;
  /** Logs in as a role that owns nothing, for all that is no migration. */
  readonly runtimeUrl: string;
  /** It ran already, left behind by an owner that died; the settings it was started with stay. */
  readonly adopted: boolean;
  /** Stops the server if we own it. */
  stop(): Promise<void>;
}

export interface EmbeddedServerOptions {
  readonly dataDir: string;
  readonly settings?: Settings;
}

/** The PostgreSQL of a data folder: started and owned, adopted from a dead owner, or shared with a living one. */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir);
  try {
    const home = await openHome(dataDir);
    const patience = { everyMs: 20, withinMs: patienceMs };
    const server = await poll(() => ownOrAttach(home, options.settings ?? {}), patience);
    return server ?? (await giveUp(home));
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const detail = `PostgreSQL does not start in ${dataDir}: ${reason}. Set DATABASE_URL to use a server of yours.`;
    throw new Problem('invalid-setup', { detail, cause });
  }
}

async function ownOrAttach(home: Home, settings: Settings): Promise<EmbeddedServer | undefined> {
  const claim = await claimOwnership(home.folder);
  if (claim) return own(home, claim, settings);
  const postmaster = await readyPostmaster(home.cluster);
  if (!postmaster) return undefined;
  return { ...(await urlsOf(home, postmaster.port)), adopted: false, stop: () => Promise.resolve() };
}

async function own(home: Home, claim: Claim, settings: Settings): Promise<EmbeddedServer> {
  try {
    const binaries = await prepareBinaries(await findPlatformPackage(), home);
    const { postmaster, adopted } = await bringUp(home, binaries, settings);
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= stopServer(home, binaries, postmaster).then(() => claim.release()));
    return { ...(await urlsOf(home, postmaster.port)), adopted, stop };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

async function urlsOf(home: Home, port: number): Promise<Pick<EmbeddedServer, 'url' | 'runtimeUrl'>> {
  const url = await urlOf(home, port);
  return { url, runtimeUrl: await ensureLogin(url) };
}

async function giveUp(home: Home): Promise<never> {
  const owner = await findOwner(home.folder);
  throw new Problem('invalid-setup', {
    detail: `Process ${owner?.pid ?? '?'} owns ${home.folder}, but no server became ready there: stop it and start again.`,
  });
}
