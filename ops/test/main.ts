import { parseArgs } from 'node:util';
import { builtRoots } from './roots.js';
import { print, runTests } from './run.js';
import { summaryLines } from './report.js';
import { selectFiles } from './select-files.js';
import { watchTests } from './watch.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    /** Takes the name of a commit as its first argument. */
    changed: { type: 'boolean', default: false },
    /** Long matrices and soaks too. */
    full: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    /** Everything that a plain run leaves out. */
    rest: { type: 'boolean', default: false },
    root: { type: 'string' },
    shard: { type: 'string' },
    slow: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
  },
});

const interrupt = new AbortController();
const { signal } = interrupt;
for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
  // A second interrupt must not leave PostgreSQL running either.
  process.on(name, () => interrupt.abort());
}
// The reader of the output has closed it: stop cleanly, or PostgreSQL keeps running.
process.stdout.on('error', () => interrupt.abort());

if (values.watch) await watchTests(positionals, signal);
else process.exitCode = (await run()) ? 0 : 1;

async function run(): Promise<boolean> {
  const { root, list, full, slow, ...choice } = values;
  const roots = root === undefined ? await builtRoots() : [{ folder: root, label: '' }];
  const selection = await selectFiles(roots, { ...choice, full, words: positionals });
  if ('mistake' in selection) {
    print([...selection.mistake, ...summaryLines([])]);
    return false;
  }
  if (choice.changed && selection.files.length === 0) {
    print([...selection.notes, 'No test reaches what has changed.', '', '0 passed, 0 failed']);
    return true;
  }
  if (list) {
    print(selection.files);
    return true;
  }
  const env = { ...(full ? { SVC_TEST_FULL: '1' } : {}), ...forCoverage(process.env) };
  return runTests(roots, selection.files, { ...selection, env, signal, slowFails: slow });
}

/** A function of the package has other places in its source map than that of its module, and would count a second time. */
function forCoverage({ NODE_V8_COVERAGE: folder, NODE_OPTIONS: options = '' }: NodeJS.ProcessEnv) {
  const loader = new URL('on-modules.js', import.meta.url).href;
  return folder === undefined ? {} : { NODE_OPTIONS: `${options} --import=${loader}` };
}
