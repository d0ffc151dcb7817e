import { fileURLToPath } from 'node:url';
import { withServer } from './databases.js';
import { ourRoot } from './build-under-test.js';
import { comparedSections, type Turn } from './compared-sections.js';
import type { EarlierBuild } from './earlier-build.js';
import type { Section, SectionJson } from './report.js';
import type { SuiteRun } from './suite.js';
import { inTurns, type Script } from './turns.js';

/** Measures a suite on both builds, variant by variant in turn, each round in new processes: some are slower by chance. */
export const besideEarlier = (
  suite: string,
  run: SuiteRun,
  earlier: EarlierBuild,
): Promise<readonly Section[]> =>
  withServer(async (url) => {
    // A line of the log would be part of the answer.
    const env = { ...process.env, DATABASE_URL: url, SVC_LOG: 'fatal' };
    const ours = onModulesOf(ourRoot, suite, run, env);
    const theirs = firstToWork([
      onModulesOf(earlier.root, suite, run, env),
      ofItsOwn(earlier, suite, run, env),
    ]);
    const turns: Turn[] = [];
    for (let round = 1; round <= run.rounds; round++) {
      run.signal.throwIfAborted();
      run.printProgress(`${suite}: round ${round} of ${run.rounds}`);
      turns.push(await measured(ours, theirs, run.signal, round % 2 === 0));
    }
    return comparedSections(turns, earlier.label, theirs.failure());
  });

/** Who begins changes: what changes slowly on the machine favours each of them as often as the other. */
async function measured(ours: Script, theirs: Ways, signal: AbortSignal, isReversed: boolean): Promise<Turn> {
  const way = theirs.current();
  const scripts = way === undefined ? [ours] : [ours, way];
  const results = await inTurns(isReversed ? scripts.toReversed() : scripts, signal);
  signal.throwIfAborted();
  const [mine, other] = isReversed ? results.toReversed() : results;
  if (mine?.status !== 'fulfilled') throw mine?.reason;
  if (other?.status === 'rejected') {
    theirs.fail(other.reason);
    return measured(ours, theirs, signal, isReversed);
  }
  return { ours: sectionsIn(mine.value), earlier: other === undefined ? [] : sectionsIn(other.value) };
}

const sectionsIn = (output: string): readonly SectionJson[] => JSON.parse(output) as readonly SectionJson[];

/** Our suite, on the modules of a build. */
function onModulesOf(root: string, suite: string, run: SuiteRun, env: NodeJS.ProcessEnv): Script {
  const preloaded = new URL('use-build-under-test.js', import.meta.url).href;
  const NODE_OPTIONS = `${env['NODE_OPTIONS'] ?? ''} --import=${preloaded}`;
  return {
    file: benchIn(ourRoot),
    args: [suite, ...optionsOf(run), '--alone', '--scale', String(run.scale)],
    env: { ...env, NODE_OPTIONS, SVC_BENCH_BUILD: root },
  };
}

/** The suite as it was in that commit, measured at once; it need not fetch the peers. */
const ofItsOwn = ({ root }: EarlierBuild, suite: string, run: SuiteRun, env: NodeJS.ProcessEnv): Script => ({
  file: benchIn(root),
  args: [suite, ...optionsOf(run)],
  env: { ...env, npm_config_offline: 'true' },
});

const benchIn = (root: string): string => fileURLToPath(new URL('ops/bench/main.js', root));

const optionsOf = ({ seconds, records }: SuiteRun): readonly string[] => [
  ...['--json', '--rounds', '1'],
  ...(seconds === undefined ? [] : ['--seconds', String(seconds)]),
  ...(records === undefined ? [] : ['--records', String(records)]),
];

interface Ways {
  readonly current: () => Script | undefined;
  readonly fail: (reason: unknown) => void;
  /** Why the first one does not work, if none does. */
  readonly failure: () => string | undefined;
}

/** Keeps to the first of several ways to measure a build that works. */
function firstToWork(scripts: readonly Script[]): Ways {
  const failures: string[] = [];
  return {
    current: () => scripts[failures.length],
    fail: (reason) => failures.push(failureIn(reason)),
    failure: () => (failures.length < scripts.length ? undefined : failures[0]),
  };
}

/** What a process has written about it, in one line. */
function failureIn(error: unknown): string {
  const { errors = '' } = error as { readonly errors?: string };
  return /^(?:bench|\w*Error|Problem): (.+)$/m.exec(errors)?.[1] ?? 'its suite fails';
}
