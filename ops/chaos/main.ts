import { writeFile } from 'node:fs/promises';
import {
  appendRun,
  type ChaosReport,
  closingLine,
  committed,
  readRuns,
  recordOf,
} from '../proof/recorded-runs.js';
import { proofFile, proofPage } from '../docs/proof-page.js';
import { type ChaosArguments, readChaosArguments } from './options.js';
import { effectScenarios } from './effects/all-effects.js';
import { runEffectScenario } from './effects/effect-scenario.js';
import { runFailover } from './failover/run-failover.js';
import { runHistory } from './history/run-history.js';
import { ledgerScenarios } from './ledgers/ledger-scenarios.js';
import { runLedgers } from './ledgers/run-ledgers.js';
import { runMixed } from './mixed/run-mixed.js';
import { runCluster } from './run-cluster.js';
import { runChaos } from './run-chaos.js';
import { scenarios } from './scenarios/all.js';
import { runScenario } from './scenarios/scenario.js';
import { runSimulation } from '../simulation/run-simulation.js';

const printProgress = (line: string): void => void process.stderr.write(`chaos: ${line}\n`);

/** The runs that are asked for, each with the arguments that repeat it. */
function* runsOf(request: ChaosArguments): Generator<readonly [run: string, report: Promise<ChaosReport>]> {
  const { seed, failover, minutes, simulate, run } = request;
  const own = { seed, printProgress };
  if (simulate) yield [run, runSimulation({ ...own, minutes })];
  else if (minutes !== undefined) yield [run, runMixed({ ...own, minutes })];
  else if (failover !== undefined) yield [run, runFailover({ ...failover, ...own })];
  else if (request.scenarios.length === 0)
    yield [run, (request.cluster ? runCluster : runChaos)({ ...request, printProgress })];
  for (const name of request.scenarios) {
    printProgress(name);
    yield [`--scenario ${name}`, scenarioNamed(name, own)];
  }
}

function scenarioNamed(
  name: string,
  own: { readonly seed: number; readonly printProgress: typeof printProgress },
): Promise<ChaosReport> {
  if (name === 'history')
    return runHistory({ ...own, faults: 20, transactions: 2_000, file: `build/history-${own.seed}.edn` });
  const effects = effectScenarios[name];
  if (effects !== undefined) return runEffectScenario(effects, own);
  const ledgers = ledgerScenarios[name];
  if (ledgers !== undefined) return runLedgers({ ...ledgers, ...own });
  const scenario = scenarios[name];
  if (scenario === undefined) throw new TypeError(`There is no scenario ${name}.`);
  return runScenario(scenario, name, own);
}

try {
  const request = readChaosArguments(process.argv.slice(2), () => Math.floor(Math.random() * 1_000_000_000));
  const commit = request.record ? committed() : undefined;
  printProgress(`seed ${request.seed}`);
  for (const [run, running] of runsOf(request)) {
    const report = await running;
    if ('verdict' in report) process.stderr.write(`${String(report.verdict)}\n`);
    process.stdout.write(`${closingLine(report)}\n`);
    if (!report.ok) process.exitCode = 1;
    if (commit === undefined) continue;
    await appendRun(recordOf(report, { run, at: new Date().toISOString().slice(0, 10), commit }));
    await writeFile(proofFile, proofPage(await readRuns()));
  }
} catch (error) {
  printProgress(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
