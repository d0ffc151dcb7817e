import { readChaosArguments } from './options.js';
import { allEffects, runEffects } from './effects/run-effects.js';
import { runFailover } from './failover/run-failover.js';
import { ledgerScenarios } from './ledgers/ledger-scenarios.js';
import { runLedgers } from './ledgers/run-ledgers.js';
import { runCluster } from './run-cluster.js';
import { runChaos } from './run-chaos.js';
import { scenarios } from './scenarios/all.js';
import { runScenario } from './scenarios/scenario.js';

function finish(report: { readonly ok: boolean }): void {
  process.stdout.write(`${JSON.stringify(report)}\n`);
  if (!report.ok) process.exitCode = 1;
}

try {
  const request = readChaosArguments(process.argv.slice(2), () => Math.floor(Math.random() * 1_000_000_000));
  process.stderr.write(`chaos: seed ${request.seed}\n`);
  const printProgress = (line: string): void => void process.stderr.write(`chaos: ${line}\n`);
  if (request.failover !== undefined)
    finish(await runFailover({ ...request.failover, seed: request.seed, printProgress }));
  for (const name of request.scenarios) {
    printProgress(name);
    const ledgers = ledgerScenarios[name];
    if (ledgers !== undefined) finish(await runLedgers({ ...ledgers, seed: request.seed, printProgress }));
    if (name === 'effects') finish(await runEffects({ ...allEffects, seed: request.seed, printProgress }));
    const scenario = scenarios[name];
    if (scenario === undefined) continue;
    finish(await runScenario(scenario, name, { seed: request.seed, printProgress }));
  }
  if (request.scenarios.length === 0 && request.failover === undefined) {
    const report = await (request.cluster ? runCluster : runChaos)({ ...request, printProgress });
    if ('verdict' in report) process.stderr.write(`${report.verdict}\n`);
    finish(report);
  }
} catch (error) {
  process.stderr.write(`chaos: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
