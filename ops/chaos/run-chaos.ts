import { type ChainReport, verifyChain } from '../../runtime/audit/verify-chain.js';
import { openDatabase } from '../../runtime/database/database.js';
import { freePort } from '../../runtime/database/embedded/operating-system.js';
import { checkConsistency, type Findings } from './harness/consistency-check.js';
import { RetryingClients } from './harness/retrying-clients.js';
import { readStoredState } from './harness/stored-state.js';
import { KillableHost } from './harness/killable-host.js';
import { terminateBackends } from './harness/terminate-backends.js';
import { type Fault, faultPlan } from './harness/fault-plan.js';
import { type CrashablePostgres, startCrashablePostgres } from './harness/crashable-postgres.js';
import { ledgersOf } from './ledgers/ledger-scenarios.js';
import { type LedgerReport, runLedgers } from './ledgers/run-ledgers.js';
import { auditSummary } from './audit-summary.js';

interface ChaosOptions {
  readonly seed: number;
  /** The number of faults; unset: as many as fit into the time. */
  readonly kills?: number | undefined;
  readonly seconds?: number | undefined;
  /** The only kind of fault. */
  readonly only?: Fault['kind'] | undefined;
  readonly printProgress: (line: string) => void;
}

interface ChaosReport extends Findings {
  readonly seed: number;
  readonly commands: number;
  readonly acknowledged: number;
  readonly attempts: number;
  readonly faults: number;
  readonly byKind: Readonly<Record<string, number>>;
  /** The share of commands that were acknowledged in the end. */
  readonly success: number;
  readonly events: number;
  readonly chain: ChainReport;
  readonly verdict: string;
  readonly others: Readonly<Record<string, number>>;
  /** Two hosts whose reactions, timers, processes and reservations are counted. */
  readonly ledgers: LedgerReport;
  readonly seconds: number;
  readonly ok: boolean;
}

const clientCount = 16;
const hostName = 'chaos';

const leastSuccess = 0.9;

/** Faults in the order of the seed: one host and clients that retry, then two hosts whose effects are counted. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, kills = 10, only, printProgress } = options;
  const orders = await runOrders(options);
  const ledgers = await runLedgers({ ...ledgersOf(Math.ceil(kills / 2), only), seed, printProgress });
  return { ...orders, ledgers, ok: orders.ok && ledgers.ok };
}

async function runOrders(options: ChaosOptions): Promise<Omit<ChaosReport, 'ledgers'>> {
  const started = performance.now();
  const postgres = await startCrashablePostgres();
  const port = String(await freePort());
  const host = new KillableHost({
    DATABASE_URL: postgres.url,
    SVC_PORT: port,
    SVC_NAME: hostName,
    SVC_LOG: 'error',
  });
  try {
    host.start();
    const clients = new RetryingClients(`http://127.0.0.1:${port}`, options.seed, clientCount);
    await clients.waitForMore(50);
    const byKind = await injectFaults(options, { postgres, host, clients });
    await clients.waitForMore(50);
    await clients.stop();
    await host.stop();
    const seconds = Math.round((performance.now() - started) / 1000);
    return await reportOn(options.seed, clients, postgres.url, byKind, seconds);
  } finally {
    await host.stop();
    await postgres.stop();
  }
}

interface FaultTargets {
  readonly postgres: CrashablePostgres;
  readonly host: KillableHost;
  readonly clients: RetryingClients;
}

async function injectFaults(
  { seed, kills, seconds, only, printProgress }: ChaosOptions,
  scene: FaultTargets,
): Promise<Record<string, number>> {
  const byKind: Record<string, number> = {};
  const until = performance.now() + (seconds ?? 3600) * 1000;
  const limit = kills ?? (seconds === undefined ? 20 : Infinity);
  let done = 0;
  for (const { after, fault } of faultPlan(seed, only)) {
    if (done >= limit || performance.now() >= until) return byKind;
    await scene.clients.waitForMore(after);
    const what = await inject(fault, scene);
    done++;
    byKind[what] = (byKind[what] ?? 0) + 1;
    printProgress(`${done}: ${what} after ${scene.clients.acknowledged} acknowledged commands`);
  }
  return byKind;
}

/** Performs the fault and describes what happened. */
async function inject(fault: Fault, { postgres, host, clients }: FaultTargets): Promise<string> {
  switch (fault.kind) {
    case 'kill':
      await host.kill();
      return 'kill';
    case 'failpoint': {
      const reached = await host.killAt(`${fault.name}@${fault.pass}`, clients.waitForMore(500));
      return reached ? fault.name : `${fault.name} (not reached)`;
    }
    case 'terminate':
      await terminateBackends(postgres.url, [hostName]);
      return 'terminate';
    case 'stop-postgres':
      await postgres.crash();
      return 'stop-postgres';
  }
}

async function reportOn(
  seed: number,
  clients: RetryingClients,
  url: string,
  byKind: Readonly<Record<string, number>>,
  seconds: number,
): Promise<Omit<ChaosReport, 'ledgers'>> {
  const database = openDatabase({ url, applicationName: 'chaos-checker', statementTimeoutMs: 600_000 });
  try {
    const stored = await readStoredState(database);
    const chain = await verifyChain(database);
    const findings = checkConsistency(clients.sent, stored);
    const commands = clients.sent.length;
    const success = commands === 0 ? 0 : clients.acknowledged / commands;
    const isClean = Object.values(findings).every((count) => count === 0);
    return {
      seed,
      commands,
      faults: Object.values(byKind).reduce((sum, count) => sum + count, 0),
      ...findings,
      acknowledged: clients.acknowledged,
      attempts: clients.attempts,
      success: Math.round(success * 10_000) / 10_000,
      events: stored.events.length,
      byKind,
      chain,
      verdict: auditSummary(stored, findings, chain),
      others: Object.fromEntries(clients.others),
      seconds,
      ok: isClean && chain.ok && success >= leastSuccess,
    };
  } finally {
    await database.close();
  }
}
