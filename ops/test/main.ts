import { parseArgs } from 'node:util';
import { findTestFiles, unmatched } from './find-test-files.js';
import { summaryLines } from './report.js';
import { built, print, runTests } from './run.js';
import { watchTests } from './watch.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Long matrices and soaks too, and processes as they are built. */
    full: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    root: { type: 'string', default: built },
    watch: { type: 'boolean', default: false },
  },
});

const interrupt = new AbortController();
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
  // A second interrupt must not leave PostgreSQL running either.
  process.on(signal, () => interrupt.abort());
}
// The reader of the output has closed it: stop in order, or PostgreSQL keeps running.
process.stdout.on('error', () => interrupt.abort());

const options = { signal: interrupt.signal, asBuilt: values.full };
const files = await findTestFiles(values.root, positionals, values.full);
const mistaken = unmatched(positionals, files);
if (mistaken.length > 0) {
  print([...mistaken.map((filter) => `No test file has '${filter}' in its path.`), ...summaryLines([])]);
  process.exitCode = 1;
} else if (values.list) print(files);
else if (values.watch) await watchTests(positionals, interrupt.signal);
else process.exitCode = (await runTests(values.root, files, options)) ? 0 : 1;
