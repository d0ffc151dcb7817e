import { readChaosArguments } from './options.js';
import { runChaos } from './run.js';

try {
  const request = readChaosArguments(process.argv.slice(2), () => Math.floor(Math.random() * 1_000_000_000));
  process.stderr.write(`chaos: seed ${request.seed}\n`);
  const report = await runChaos({ ...request, tell: (line) => process.stderr.write(`chaos: ${line}\n`) });
  process.stdout.write(`${JSON.stringify(report)}\n`);
  process.exitCode = report.ok ? 0 : 1;
} catch (error) {
  process.stderr.write(`chaos: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
