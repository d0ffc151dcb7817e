import { setTimeout as delay } from 'node:timers/promises';
import { verifyChain } from '../../../runtime/audit/verify-chain.js';
import { checkConsistency, type Findings } from '../harness/consistency-check.js';
import type { RetryingClients } from '../harness/retrying-clients.js';
import { inStore } from '../harness/cluster-queries.js';
import { readStoredState } from '../harness/stored-state.js';

/** One promise about a fault. */
export interface Expectation {
  readonly promise: string;
  readonly kept: boolean;
  /** The time it took, if the promise is about time. */
  readonly ms?: number;
}

/** The effects of one fault, and whether its promises were kept. */
interface Outcome {
  readonly promises: readonly Expectation[];
  /** Every store that clients wrote to. */
  readonly stores: readonly StoreLoad[];
}

interface StoreLoad {
  readonly url: string;
  readonly clients: readonly RetryingClients[];
  /** Only the hosts of this store, if it also has events of others. */
  readonly host?: string;
}

interface ScenarioRun {
  readonly seed: number;
  readonly printProgress: (line: string) => void;
}

/** Sets up, causes its fault under load, and checks. `checkOutcome` is called while the stores are still running. */
export type Scenario = (run: ScenarioRun, checkOutcome: (outcome: Outcome) => Promise<void>) => Promise<void>;

interface ScenarioReport extends Findings {
  readonly seed: number;
  readonly scenario: string;
  readonly commands: number;
  readonly acknowledged: number;
  readonly attempts: number;
  readonly faults: number;
  readonly promises: readonly Expectation[];
  readonly chainsHold: boolean;
  readonly seconds: number;
  readonly ok: boolean;
}

export async function runScenario(
  scenario: Scenario,
  name: string,
  run: ScenarioRun,
): Promise<ScenarioReport> {
  const started = performance.now();
  const reports: ScenarioReport[] = [];
  await scenario(run, async ({ promises, stores }) => {
    const checked = await Promise.all(stores.map(checkStore));
    const findings = sumFindings(checked.map((store) => store.findings));
    const clients = stores.flatMap((store) => store.clients);
    const chainsHold = checked.every((store) => store.chainHolds);
    const isClean = Object.values(findings).every((count) => count === 0);
    reports.push({
      seed: run.seed,
      scenario: name,
      commands: total(clients.map(({ sent }) => sent.length)),
      acknowledged: total(clients.map(({ acknowledged }) => acknowledged)),
      attempts: total(clients.map(({ attempts }) => attempts)),
      faults: 1,
      ...findings,
      promises,
      chainsHold,
      seconds: Math.round((performance.now() - started) / 1000),
      ok: isClean && chainsHold && promises.length > 0 && promises.every(({ kept }) => kept),
    });
  });
  return reports[0] as unknown as ScenarioReport;
}

async function checkStore({ url, clients, host }: StoreLoad) {
  return inStore(url, async (database) => ({
    findings: checkConsistency(
      clients.flatMap(({ sent: asked }) => asked),
      await readStoredState(database, host),
    ),
    chainHolds: (await verifyChain(database)).ok,
  }));
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, next) => sum + next, 0);

const sumFindings = (all: readonly Findings[]): Findings => {
  const of = (name: keyof Findings): number => total(all.map((findings) => findings[name]));
  return {
    lost: of('lost'),
    doubled: of('doubled'),
    unaudited: of('unaudited'),
    missing: of('missing'),
    phantom: of('phantom'),
  };
};

/** A promise that something becomes true in time. */
export async function holdsWithin(
  promise: string,
  limitMs: number,
  isSo: () => Promise<boolean>,
): Promise<Expectation> {
  const started = performance.now();
  for (;;) {
    const kept = await isSo().catch(() => false);
    const ms = Math.round(performance.now() - started);
    if (kept || ms > limitMs) return { promise: `${promise} within ${limitMs / 1000} s`, kept, ms };
    await delay(100);
  }
}
