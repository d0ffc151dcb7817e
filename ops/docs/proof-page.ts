import { join } from 'node:path';
import { code, page, table } from './markdown.js';
import { foundBugs } from '../proof/found-bugs.js';
import { promises } from '../proof/promises.js';
import { type RecordedRun, repository } from '../proof/recorded-runs.js';

export const proofFile = join(repository, 'docs/proof.md');

/** `docs/proof.md`: each promise with what would fail without it, and the runs that are recorded. */
export function proofPage(runs: readonly RecordedRun[]): string {
  const rows = promises.map(({ promise, tests, runs: names }) => [
    promise,
    tests.map(code).join(', '),
    names.map((name) => runLink(name, runs)).join(', ') || 'none',
  ]);
  return page(
    'Proof',
    'Each promise of the README, what would fail if it were broken, and the recorded runs with faults.',
    `Each promise of the README has tests that fail if it is broken. Runs with faults check most of them while hosts,
servers and connections die; every run can be repeated with its seed:

\`\`\`sh no-run
npm run chaos -- --scenario history --seed 7
npm run chaos -- --scenario history --record # draws a seed, and adds the run to proof/runs.ndjson and this page
\`\`\`

## Promises

${table(['Promise', 'Tests', 'Runs with faults'], rows)}
## Recorded runs

${runs.length === 0 ? 'None yet.\n' : runTable(runs)}
Lost: acknowledged and not stored, or without its effect. Doubled: stored or done twice. Unaudited: without exactly one
audit. Missing: not received by another store. A failed seed stays in \`proof/runs.ndjson\` and is run again by
\`npm run test:full\`.

## Bugs that these runs found

${bugTable()}`,
  );
}

const bugTable = (): string =>
  foundBugs.length === 0
    ? 'None since runs are recorded.\n'
    : table(
        ['Run', 'Seed', 'Bug', 'Corrected in'],
        foundBugs.map(({ run, seed, bug, mended }) => [nameOf(run), String(seed), bug, code(mended)]),
      );

const nameOf = (run: string): string => code(`npm run chaos${run === '' ? '' : ` -- ${run}`}`);

function runLink(run: string, runs: readonly RecordedRun[]): string {
  const { length } = runs.filter((each) => each.run === run);
  return length === 0 ? nameOf(run) : `${nameOf(run)} (${length} recorded)`;
}

/** One row for each run and its totals over all seeds. */
function runTable(runs: readonly RecordedRun[]): string {
  const names = [...new Set(runs.map(({ run }) => run))].toSorted();
  const rows = names.map((name) => {
    const own = runs.filter(({ run }) => run === name);
    const last = own.at(-1);
    const sum = (count: 'commands' | 'faults' | 'lost' | 'doubled' | 'unaudited' | 'missing'): string =>
      own.reduce((total, run) => total + run[count], 0).toLocaleString('en-US');
    const failed = own.filter(({ ok }) => !ok).map(({ seed }) => seed);
    return [
      nameOf(name),
      [...new Set(own.map(({ seed }) => seed))].join(', '),
      `${last?.at ?? ''}, ${code(last?.commit ?? '')}`,
      ...[sum('commands'), sum('faults'), sum('lost'), sum('doubled'), sum('unaudited'), sum('missing')],
      failed.length === 0 ? 'none' : failed.join(', '),
    ];
  });
  const heads = [
    'Run',
    'Seeds',
    'Last run',
    'Commands',
    'Faults',
    'Lost',
    'Doubled',
    'Unaudited',
    'Missing',
    'Failed seeds',
  ];
  return table(heads, rows);
}
