import { setTimeout as delay } from 'node:timers/promises';
import { verifyChain } from '../../../runtime/audit/verify-chain.js';
import type { Database } from '../../../runtime/database/database.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { startProgram } from '../../testing/spawned-host.js';
import { inStore } from '../harness/cluster-queries.js';
import { type CrashablePostgres, startCrashablePostgres } from '../harness/crashable-postgres.js';
import { KillableHost } from '../harness/killable-host.js';
import { terminateBackends } from '../harness/terminate-backends.js';
import { type FaultCounts, type LedgerFault, ledgerFaults } from '../ledgers/ledger-faults.js';
import { holdsWithin } from '../scenarios/scenario.js';
import { checkEffects, type CountedCalls, type EffectFindings } from './effect-check.js';
import { claimedBy, countOutcomes, EffectLoad, isSettled, readEffects, releaseLost } from './effect-load.js';
import type { ProviderReport } from './provider.js';
import { programOf, startProvider } from './running-provider.js';

interface EffectOptions {
  readonly seed: number;
  readonly effects: number;
  readonly faults: FaultCounts;
  /** Default: a server that can crash. */
  readonly postgres?: CrashablePostgres;
  readonly printProgress: (line: string) => void;
}

interface EffectReport extends EffectFindings {
  readonly seed: number;
  /** Requests that were asked for. */
  readonly commands: number;
  readonly calls: CountedCalls;
  readonly faults: number;
  readonly byKind: Readonly<Record<string, number>>;
  /** Requests that were parked as lost, and released: after the faults, and after the short claims. */
  readonly released: readonly number[];
  readonly chainHolds: boolean;
  readonly seconds: number;
  readonly ok: boolean;
}

interface Scene {
  readonly postgres: CrashablePostgres;
  readonly hosts: readonly KillableHost[];
  readonly load: EffectLoad;
  readonly provider: () => Promise<ProviderReport>;
  inFlightAtFaults: number;
}

const failpoints = ['effect-claimed', 'effect-called', 'effect-after-commit'];
const names = ['north', 'south', 'west'];
const claims = { ms: 5_000, beatMs: 1_200 };
/** Never prolonged: every slow call is overtaken. */
const shortClaims = { ms: 1_000, beatMs: 3_600_000 };
/** Longer than a claim. */
const frozenMs = 6_000;
const withinMs = 300_000;
const underWay = 3;
/** How many are asked for when nothing is left to kill a host under. */
const more = 288;

/** The command's own run: 40 faults. */
export const allEffects = {
  effects: 20_000,
  faults: { kills: 20, failpointRounds: 2, freezes: 10, terminations: 2, crashes: 2 },
};

/** Three hosts that are killed and frozen with calls on their way, and then overtake each other. */
export async function runEffects(options: EffectOptions): Promise<EffectReport> {
  const started = performance.now();
  const postgres = options.postgres ?? (await startCrashablePostgres());
  const { url } = postgres;
  const provider = await startProvider(options.seed);
  const hosts: KillableHost[] = [];
  const stopHosts = (): Promise<unknown> => Promise.all(hosts.splice(0).map((host) => host.stop()));
  try {
    const { address } = provider;
    const read = (): Promise<ProviderReport> => provider.report();
    const start = ({ ms, beatMs }: typeof claims): void => {
      hosts.push(...names.map((name) => hostOf([name, url, address, String(ms), String(beatMs)])));
      for (const host of hosts) host.start();
    };
    await migrate({ ownerUrl: url });
    return await inStore(url, async (database) => {
      const load = new EffectLoad(database);
      const scene: Scene = { postgres, hosts, load, provider: read, inFlightAtFaults: 0 };
      start(claims);
      const byKind = await loadWithFaults(options, scene);
      const released = [await settles(database)];
      const counted = await callsUntilNow(database, scene);
      await stopHosts();
      start(shortClaims);
      await load.ask(Math.ceil(options.effects / 10));
      released.push(await settles(database));
      await stopHosts();
      const findings = checkEffects(load.asked, await readEffects(database), (await read()).keys, counted);
      const { ok: chainHolds } = await verifyChain(database);
      return {
        ...{ seed: options.seed, commands: load.asked, ...findings, calls: counted, byKind, chainHolds },
        ...{ faults: Object.values(byKind).reduce((sum, count) => sum + count, 0), released },
        seconds: Math.round((performance.now() - started) / 1000),
        ok: chainHolds && Object.values(findings).every((count) => count === 0),
      };
    });
  } finally {
    await stopHosts();
    await provider.stop();
    await postgres.stop();
  }
}

async function callsUntilNow(
  database: Database,
  { provider, inFlightAtFaults }: Scene,
): Promise<CountedCalls> {
  const { calls, refused } = await provider();
  return { calls, refused, inFlightAtFaults, outcomes: await countOutcomes(database) };
}

const hostOf = (args: readonly string[]): KillableHost =>
  new KillableHost({ SVC_LOG: 'fatal' }, args, (own, env) =>
    startProgram(process.execPath, [programOf('effect-host'), ...own], env),
  );

/** Until nothing waits; what five hosts have died under is released, as an operator does. Returns how many were. */
async function settles(database: Database): Promise<number> {
  let released = 0;
  await holdsWithin('everything is settled', withinMs, async () => {
    released += await releaseLost(database);
    return isSettled(database);
  });
  return released;
}

/** Each fault happens while calls of its part of the load are on their way. */
async function loadWithFaults(
  { seed, effects, faults: counts, printProgress }: EffectOptions,
  scene: Scene,
): Promise<Record<string, number>> {
  const faults = ledgerFaults(seed, counts, failpoints, names.length);
  const part = Math.ceil(effects / (faults.length + 1));
  const byKind: Record<string, number> = {};
  for (const [index, fault] of faults.entries()) {
    await scene.load.ask(part);
    const what = await inject(fault, scene);
    byKind[what] = (byKind[what] ?? 0) + 1;
    printProgress(`${index + 1}: ${what} after ${scene.load.asked} were asked for`);
  }
  await scene.load.ask(part);
  return byKind;
}

/** Performs the fault, counts what was claimed by whom it has hit, and describes what happened. */
async function inject(fault: LedgerFault, scene: Scene): Promise<string> {
  const { postgres, hosts, load } = scene;
  const at = 'host' in fault ? fault.host : 0;
  const [host, name = ''] = [hosts[at], names[at]];
  const count = async (of: string | null): Promise<void> => {
    scene.inFlightAtFaults += await inStore(postgres.url, (database) => claimedBy(database, of));
  };
  const askMore = async (): Promise<void> => {
    if (await inStore(postgres.url, isSettled)) await load.ask(more);
  };
  if (fault.kind === 'failpoint') {
    const waits = new AbortController();
    const killed = host?.killAt(`${fault.name}@${fault.pass}`, delay(withinMs, undefined, { ref: false }));
    const reached = killed?.finally(() => waits.abort());
    // Killing it to arm it is a death, too.
    await count(name);
    while (!waits.signal.aborted) {
      await askMore();
      await delay(500);
    }
    await count(name);
    return (await reached) === true ? fault.name : `${fault.name} (not reached)`;
  }
  const isUnderWay = async (): Promise<boolean> => ((await scene.provider()).inFlight[name] ?? 0) >= underWay;
  const { kept } = await holdsWithin('calls are on their way', withinMs, async () => {
    if (await isUnderWay()) return true;
    await askMore();
    return false;
  });
  if (fault.kind === 'kill') await host?.kill();
  const thawed = fault.kind === 'freeze' ? host?.freezeFor(frozenMs) : undefined;
  await count('host' in fault ? name : null);
  if (fault.kind === 'terminate') await terminateBackends(postgres.url, names);
  if (fault.kind === 'stop-postgres') await postgres.crash();
  await thawed;
  return kept ? fault.kind : `${fault.kind} (idle)`;
}
