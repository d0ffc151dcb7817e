import { pathToFileURL } from 'node:url';
import { runSuite, takeSuites } from '../../contracts/testing/suite.js';
import { failureText } from './failure-text.js';

/** Runs several test files in one process, and ends with a line that counts. */
for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);

const sum = { passed: 0, failed: 0 };
for (const suite of takeSuites()) {
  for (const result of await runSuite(suite, () => undefined)) {
    if (result.failures.length === 0) sum.passed++;
    else {
      sum.failed++;
      process.stderr.write(failureText(result));
    }
  }
}
process.stdout.write(`\n${sum.passed} passed, ${sum.failed} failed\n`, () =>
  process.exit(sum.failed > 0 || sum.passed === 0 ? 1 : 0),
);
