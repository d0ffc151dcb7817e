import { parseArgs } from 'node:util';
import { findTestFiles } from './find.js';
import { built, print, runTests } from './run.js';
import { watchTests } from './watch.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Long matrices and soaks too. */
    full: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    root: { type: 'string', default: built },
    watch: { type: 'boolean', default: false },
  },
});

const interrupt = new AbortController();
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
  // Also the second one: who is impatient would leave PostgreSQL behind.
  process.on(signal, () => interrupt.abort());
}
// Nobody reads on: end in order, or PostgreSQL would be left behind.
process.stdout.on('error', () => interrupt.abort());

const files = await findTestFiles(values.root, positionals, values.full);
if (values.list) print(files);
else if (values.watch) await watchTests(positionals, interrupt.signal);
else process.exitCode = (await runTests(values.root, files, interrupt.signal)) ? 0 : 1;
