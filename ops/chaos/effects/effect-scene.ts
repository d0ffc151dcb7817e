import type { claimDefaults } from '../../../actors/due/claims.js';
import type { Database } from '../../../runtime/database/database.js';
import type { LeaseSettings } from '../../../runtime/leases/host-leases.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { startProgram } from '../../testing/spawned-host.js';
import { inStore } from '../harness/cluster-queries.js';
import { type Expectation, holdsWithin } from '../scenarios/scenario.js';
import { type CrashablePostgres, startCrashablePostgres } from '../harness/crashable-postgres.js';
import { KillableHost } from '../harness/killable-host.js';
import type { EffectSettings } from './effect-commands.js';
import { EffectLoad, isSettled } from './effect-load.js';
import type { ProviderManner, ProviderReport } from './provider.js';
import { programOf, startProvider } from './running-provider.js';

export interface EffectRun {
  readonly seed: number;
  /** Default: a server that can crash. */
  readonly postgres?: CrashablePostgres;
  readonly printProgress: (line: string) => void;
}

/** How the hosts of a run differ from the default. */
export interface HostSettings extends Partial<LeaseSettings> {
  readonly claims?: Partial<typeof claimDefaults>;
  readonly effects?: EffectSettings;
}

/** Hosts that die, and what they do. */
export interface EffectScene {
  readonly postgres: CrashablePostgres;
  readonly database: Database;
  readonly load: EffectLoad;
  /** By name. */
  readonly hosts: ReadonlyMap<string, KillableHost>;
  readonly provider: () => Promise<ProviderReport>;
  /** Starts three hosts in their own processes. */
  start(settings: HostSettings): void;
  stop(): Promise<unknown>;
}

export const hostNames: readonly string[] = ['north', 'south', 'west'];

export async function withEffectScene<T>(
  run: EffectRun,
  { manner, settings }: { readonly manner: Omit<ProviderManner, 'seed'>; readonly settings: HostSettings },
  body: (scene: EffectScene) => Promise<T>,
): Promise<T> {
  const postgres = run.postgres ?? (await startCrashablePostgres());
  const provider = await startProvider({ seed: run.seed, ...manner });
  const hosts = new Map<string, KillableHost>();
  const stop = async (): Promise<void> => {
    await Promise.all([...hosts.values()].map((host) => host.stop()));
    hosts.clear();
  };
  const start = (of: HostSettings): void => {
    for (const name of hostNames) {
      const host = hostOf([name, postgres.url, provider.address, JSON.stringify(of)]);
      hosts.set(name, host);
      host.start();
    }
  };
  try {
    await migrate({ ownerUrl: postgres.url });
    return await inStore(postgres.url, async (database) => {
      const load = new EffectLoad(database, settings.effects);
      start(settings);
      return body({ postgres, database, load, hosts, provider: () => provider.report(), start, stop });
    });
  } finally {
    await stop();
    await provider.stop();
    await postgres.stop();
  }
}

/** Asks for more whenever nothing is left, until a host has so many calls on their way. */
export const untilCalling = (
  { postgres, load, provider }: EffectScene,
  host: string,
  { least, more, withinMs }: { readonly least: number; readonly more: number; readonly withinMs: number },
): Promise<Expectation> =>
  holdsWithin(`${host} calls`, withinMs, async () => {
    if (((await provider()).inFlight[host] ?? 0) >= least) return true;
    if (await inStore(postgres.url, isSettled)) await load.ask(more);
    return false;
  });

const hostOf = (args: readonly string[]): KillableHost =>
  new KillableHost({ SVC_LOG: 'fatal' }, args, (own, env) =>
    startProgram(process.execPath, [programOf('effect-host'), ...own], env),
  );
