import { pathToFileURL } from 'node:url';

type Run = () => Promise<readonly [errors: string | true, passed: number, skipped: number, tests: number]>;

/** Runs several test files in one process, and ends with a line that counts. */
const runs: Run[] = [];
Object.assign(globalThis, { UVU_DEFER: 1, UVU_QUEUE: [runs] });
for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);

const sum = { passed: 0, failed: 0 };
for (const run of runs) {
  const [errors, passed, , tests] = await run();
  if (errors !== true) process.stderr.write(`${errors}\n`);
  sum.passed += passed;
  sum.failed += tests - passed;
}
process.stdout.write(`\n${sum.passed} passed, ${sum.failed} failed\n`, () => process.exit());
