import { readChaosArguments } from './options.js';
import { runCluster } from './cluster.js';
import { runChaos } from './run.js';

try {
  const request = readChaosArguments(process.argv.slice(2), () => Math.floor(Math.random() * 1_000_000_000));
  process.stderr.write(`chaos: seed ${request.seed}\n`);
  const tell = (line: string): void => void process.stderr.write(`chaos: ${line}\n`);
  const report = await (request.cluster ? runCluster : runChaos)({ ...request, tell });
  if ('verdict' in report) process.stderr.write(`${report.verdict}\n`);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  process.exitCode = report.ok ? 0 : 1;
} catch (error) {
  process.stderr.write(`chaos: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
