import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { verifyChain } from '../../../runtime/audit/verify-chain.js';
import { connect } from '../../../runtime/database/connect.js';
import { builtForProcess } from '../../../runtime/testing/process-root.js';
import { inStore } from '../harness/cluster-queries.js';
import { type CrashablePostgres, startCrashablePostgres } from '../harness/crashable-postgres.js';
import { randomFrom } from '../harness/seeded-random.js';
import { terminateBackends } from '../harness/terminate-backends.js';
import { startReadyHost, type ScenarioHost } from '../scenarios/scenario-host.js';
import { holdsWithin } from '../scenarios/scenario.js';
import { checkLedgers, type LedgerFindings } from './ledger-check.js';
import { type FaultCounts, type LedgerFault, ledgerFaults } from './ledger-faults.js';
import { LedgerLoad, type LedgerSizes } from './ledger-load.js';
import { isSettled, readLedgers } from './stored-ledgers.js';

interface LedgerOptions {
  readonly seed: number;
  readonly sizes: LedgerSizes;
  readonly faults: FaultCounts;
  /** False: every host acts as if it held everything. */
  readonly leases: boolean;
  /** Default: a server that can crash. */
  readonly postgres?: CrashablePostgres;
  readonly printProgress: (line: string) => void;
}

export interface LedgerReport extends LedgerFindings {
  readonly seed: number;
  readonly leases: boolean;
  readonly sizes: LedgerSizes;
  readonly stored: Readonly<Record<string, number>>;
  readonly commands: number;
  readonly attempts: number;
  readonly faults: number;
  readonly byKind: Readonly<Record<string, number>>;
  /** The share of commands that were answered in the end. */
  readonly success: number;
  readonly chainHolds: boolean;
  /** Whether all effects came in time. */
  readonly settled: boolean;
  readonly others: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly ok: boolean;
}

interface Scene {
  readonly postgres: CrashablePostgres;
  readonly hosts: readonly ScenarioHost[];
  readonly load: LedgerLoad;
}

const service = fileURLToPath(builtForProcess(new URL('./ledger-service.js', import.meta.url)));
const names = ['north', 'south'];
const settleWithinMs = 300_000;
const leastSuccess = 0.9;

/** Two hosts, clients that repeat, and faults while the effects of every event, timer and process are counted. */
export async function runLedgers(options: LedgerOptions): Promise<LedgerReport> {
  const started = performance.now();
  const postgres = options.postgres ?? (await startCrashablePostgres());
  const hosts: ScenarioHost[] = [];
  try {
    for (const name of names) {
      hosts.push(await startReadyHost(name, { DATABASE_URL: postgres.url }, ['start', service]));
      if (!options.leases && hosts.length === 1) await switchLeasesOff(postgres.url);
    }
    const load = new LedgerLoad(
      hosts.map(({ url }) => url),
      options.seed,
    );
    const byKind = await loadWithFaults(options, { postgres, hosts, load });
    const settled = await holdsWithin('everything is settled', settleWithinMs, () =>
      inStore(postgres.url, isSettled),
    );
    await Promise.all(hosts.map(({ host }) => host.stop()));
    load.close();
    return await reportOn(options, load, byKind, { url: postgres.url, settled: settled.kept, started });
  } finally {
    await Promise.all(hosts.map(({ host }) => host.stop()));
    await postgres.stop();
  }
}

/** Each fault happens while its part of the load is under way. */
async function loadWithFaults(options: LedgerOptions, scene: Scene): Promise<Record<string, number>> {
  const { seed, sizes, printProgress } = options;
  const faults = ledgerFaults(seed, options.faults);
  const random = randomFrom(seed + 1);
  const part = (size: number) => Math.ceil(size / (faults.length + 1));
  const parts: LedgerSizes = {
    events: part(sizes.events),
    timers: part(sizes.timers),
    processes: part(sizes.processes),
    seats: part(sizes.seats),
  };
  const byKind: Record<string, number> = {};
  for (const [index, fault] of faults.entries()) {
    const running = scene.load.run(parts);
    await delay(random() * 1_500);
    const what = await inject(fault, scene);
    byKind[what] = (byKind[what] ?? 0) + 1;
    printProgress(`${index + 1}: ${what} after ${scene.load.counts.answered} answered commands`);
    await running;
  }
  await scene.load.run(parts);
  return byKind;
}

const frozenMs = 6_000;
const reachedWithinMs = 60_000;
const untilReached: LedgerSizes = { events: 480, timers: 100, processes: 20, seats: 0 };

/** Performs the fault and describes what happened. */
async function inject(fault: LedgerFault, { postgres, hosts, load }: Scene): Promise<string> {
  const { host } = hosts['host' in fault ? fault.host : 0] ?? {};
  switch (fault.kind) {
    case 'kill':
      await host?.kill();
      return 'kill';
    case 'failpoint': {
      const waiting = new AbortController();
      const killed = host?.killAt(
        `${fault.name}@${fault.pass}`,
        delay(reachedWithinMs, undefined, { ref: false }),
      );
      const reached = killed?.finally(() => waiting.abort());
      while (!waiting.signal.aborted) await load.run(untilReached);
      return (await reached) === true ? fault.name : `${fault.name} (not reached)`;
    }
    case 'freeze':
      await host?.freezeFor(frozenMs);
      return 'freeze';
    case 'terminate':
      await terminateBackends(postgres.url, names);
      return 'terminate';
    case 'stop-postgres':
      await postgres.crash();
      return 'stop-postgres';
  }
}

/** In the store of the run: no setting of a host can do it. */
async function switchLeasesOff(url: string): Promise<void> {
  const client = await connect(url);
  await client.query(`
    CREATE OR REPLACE FUNCTION svc_turn(p_owner uuid, p_host text, p_version text, p_broadcast boolean, p_marked boolean, p_names text[], p_groups int[], p_shares int[], p_ms int)
    RETURNS TABLE(name text, held boolean, remaining_ms int) LANGUAGE sql AS $$ SELECT n, true, 0 FROM unnest(p_names) n $$;
    DELETE FROM svc_hosts`);
  await client.end();
}

async function reportOn(
  { seed, leases, sizes }: LedgerOptions,
  { counts, acknowledged, others }: LedgerLoad,
  byKind: Readonly<Record<string, number>>,
  { url, settled, started }: { readonly url: string; readonly settled: boolean; readonly started: number },
): Promise<LedgerReport> {
  return inStore(url, async (database) => {
    const stored = await readLedgers(database);
    const findings = checkLedgers(acknowledged, stored);
    const { ok: chainHolds } = await verifyChain(database);
    const success = counts.commands === 0 ? 0 : (counts.answered + counts.refused) / counts.commands;
    const isClean = Object.values(findings).every((count) => count === 0);
    const byType: Record<string, number> = { refused: counts.refused };
    for (const { type } of stored.events) byType[type] = (byType[type] ?? 0) + 1;
    return {
      seed,
      leases,
      sizes,
      stored: byType,
      ...findings,
      faults: Object.values(byKind).reduce((sum, count) => sum + count, 0),
      byKind,
      commands: counts.commands,
      attempts: counts.attempts,
      success: Math.round(success * 10_000) / 10_000,
      chainHolds,
      settled,
      others: Object.fromEntries(others),
      seconds: Math.round((performance.now() - started) / 1000),
      ok: isClean && chainHolds && settled && success >= leastSuccess,
    };
  });
}
