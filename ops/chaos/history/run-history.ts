import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifyChain } from '../../../runtime/audit/verify-chain.js';
import { builtForProcess } from '../../../runtime/testing/process-root.js';
import { type Fault, faultPlan } from '../harness/fault-plan.js';
import { inStore } from '../harness/cluster-queries.js';
import { type CrashablePostgres, startCrashablePostgres } from '../harness/crashable-postgres.js';
import { terminateBackends } from '../harness/terminate-backends.js';
import { type ScenarioHost, startReadyHost } from '../scenarios/scenario-host.js';
import { type Anomaly, type AnomalyName, checkHistory } from './check-history.js';
import { ednOf } from './history.js';
import { HistoryClients } from './history-clients.js';
import { listsIn, unauditedIn } from './stored-history.js';

interface HistoryOptions {
  readonly seed: number;
  readonly faults: number;
  /** Transactions between two faults. */
  readonly transactions: number;
  /** Where the history is written in the form that Elle reads; unset: nowhere. */
  readonly file?: string;
  /** Default: a server that can crash. */
  readonly postgres?: CrashablePostgres;
  readonly only?: Fault['kind'];
  readonly printProgress: (line: string) => void;
}

interface HistoryReport {
  readonly seed: number;
  readonly scenario: 'history';
  readonly commands: number;
  readonly acknowledged: number;
  readonly attempts: number;
  readonly faults: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly lost: number;
  readonly doubled: number;
  readonly unaudited: number;
  /** Refused because of others, although they had read nothing. */
  readonly refusedBlind: number;
  /** How many of each; none is what strict serializability promises. */
  readonly anomalies: Readonly<Partial<Record<AnomalyName, number>>>;
  readonly chainHolds: boolean;
  readonly history?: string | undefined;
  readonly seconds: number;
  readonly ok: boolean;
}

const service = fileURLToPath(builtForProcess(new URL('./history-service.js', import.meta.url)));
const names = ['north', 'south'];

/** Two hosts, clients that read and append in one commit, and faults; their history must be strictly serializable. */
export async function runHistory(options: HistoryOptions): Promise<HistoryReport> {
  const { seed, file } = options;
  const started = performance.now();
  const postgres = options.postgres ?? (await startCrashablePostgres());
  const hosts: ScenarioHost[] = [];
  try {
    for (const name of names)
      hosts.push(await startReadyHost(name, { DATABASE_URL: postgres.url }, ['start', service]));
    const clients = new HistoryClients(
      hosts.map(({ url }) => url),
      seed,
    );
    const byKind = await runWithFaults(options, { postgres, hosts, clients });
    clients.close();
    await Promise.all(hosts.map(({ host }) => host.stop()));
    if (file !== undefined) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, ednOf(clients.transactions));
      options.printProgress(`the history: java -jar elle-cli.jar --model list-append ${file}`);
    }
    return await inStore(postgres.url, async (database) => {
      const stored = await listsIn(database, clients.lists);
      const anomalies = checkHistory(clients.transactions, stored);
      return reportOn(options, clients, byKind, {
        anomalies,
        unaudited: await unauditedIn(database),
        chainHolds: (await verifyChain(database)).ok,
        seconds: Math.round((performance.now() - started) / 1000),
      });
    });
  } finally {
    await Promise.all(hosts.map(({ host }) => host.stop()));
    await postgres.stop();
  }
}

interface Scene {
  readonly postgres: CrashablePostgres;
  readonly hosts: readonly ScenarioHost[];
  readonly clients: HistoryClients;
}

async function runWithFaults(
  { seed, faults, transactions, only, printProgress }: HistoryOptions,
  scene: Scene,
): Promise<Readonly<Record<string, number>>> {
  const { clients } = scene;
  const byKind: Record<string, number> = {};
  const plan = faultPlan(seed, only);
  for (let n = 1; n <= faults; n++) {
    const running = clients.run(transactions);
    const what = await inject(plan.next().value.fault, n, scene);
    byKind[what] = (byKind[what] ?? 0) + 1;
    printProgress(`${n}: ${what} after ${clients.acknowledged} acknowledged transactions`);
    await running;
  }
  await clients.run(transactions);
  return byKind;
}

/** Performs the fault, at the hosts in turn, and describes what happened. */
async function inject(fault: Fault, n: number, { postgres, hosts, clients }: Scene): Promise<string> {
  const host = hosts[n % hosts.length]?.host;
  switch (fault.kind) {
    case 'kill':
      await host?.kill();
      return 'kill';
    case 'failpoint': {
      const reached = await host?.killAt(`${fault.name}@${fault.pass}`, clients.run(500));
      return reached === true ? fault.name : `${fault.name} (not reached)`;
    }
    case 'terminate':
      await terminateBackends(postgres.url, names);
      return 'terminate';
    case 'stop-postgres':
      await postgres.crash();
      return 'stop-postgres';
  }
}

function reportOn(
  { seed, file }: HistoryOptions,
  { transactions, acknowledged, attempts, refusedBlind }: HistoryClients,
  byKind: Readonly<Record<string, number>>,
  found: {
    readonly anomalies: readonly Anomaly[];
    readonly unaudited: number;
    readonly chainHolds: boolean;
    readonly seconds: number;
  },
): HistoryReport {
  const { unaudited, chainHolds, seconds } = found;
  const anomalies: Partial<Record<AnomalyName, number>> = {};
  for (const { name } of found.anomalies) anomalies[name] = (anomalies[name] ?? 0) + 1;
  return {
    seed,
    scenario: 'history',
    commands: transactions.length,
    acknowledged,
    attempts,
    faults: Object.values(byKind).reduce((sum, count) => sum + count, 0),
    byKind,
    lost: anomalies['lost-append'] ?? 0,
    doubled: anomalies.duplicate ?? 0,
    unaudited,
    refusedBlind,
    anomalies,
    chainHolds,
    history: file,
    seconds,
    ok: found.anomalies.length === 0 && unaudited + refusedBlind === 0 && chainHolds && acknowledged > 0,
  };
}
