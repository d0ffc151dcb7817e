import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withServer } from './databases.js';
import { ourRoot } from './build-under-test.js';
import { comparedSections, type Turn } from './compared-sections.js';
import type { EarlierBuild } from './earlier-build.js';
import type { Section, SectionJson } from './report.js';
import type { SuiteRun } from './suite.js';

type Measure = () => Promise<readonly SectionJson[]>;

/** Measures a suite in turn on both builds, each time in a new process: some are slower than others by chance. */
export const besideEarlier = (
  suite: string,
  run: SuiteRun,
  earlier: EarlierBuild,
): Promise<readonly Section[]> =>
  withServer(async (url) => {
    const env = { ...process.env, DATABASE_URL: url };
    const measureOurs = onModulesOf(ourRoot, suite, run, env);
    const measureEarlier = firstToWork(
      onModulesOf(earlier.root, suite, run, env),
      ofItsOwn(earlier, suite, run, env),
      run.signal,
    );
    const turns: Turn[] = [];
    const failures = new Set<string>();
    for (let round = 1; round <= run.rounds; round++) {
      run.signal.throwIfAborted();
      run.printProgress(`${suite}: round ${round} of ${run.rounds}`);
      // What changes slowly on the machine favours each of them as often as the other.
      const before = round % 2 === 0 ? undefined : await measureOurs();
      const { sections, failure } = await measureEarlier();
      if (failure !== undefined) failures.add(failure);
      turns.push({ ours: before ?? (await measureOurs()), earlier: sections });
    }
    return comparedSections(turns, earlier.label, [...failures][0]);
  });

/** Our suite, on the modules of a build. */
function onModulesOf(root: string, suite: string, run: SuiteRun, env: NodeJS.ProcessEnv): Measure {
  const preloaded = new URL('use-build-under-test.js', import.meta.url).href;
  const NODE_OPTIONS = `${env['NODE_OPTIONS'] ?? ''} --import=${preloaded}`;
  const args = [...optionsOf(run), '--alone', '--scale', String(run.scale)];
  return () => sectionsOf(ourRoot, [suite, ...args], { ...env, NODE_OPTIONS, SVC_BENCH_BUILD: root }, run);
}

/** The suite as it was in that commit; it need not fetch the peers. */
const ofItsOwn = (
  { root, label }: EarlierBuild,
  suite: string,
  run: SuiteRun,
  env: NodeJS.ProcessEnv,
): Measure => {
  return () => {
    run.printProgress(`${suite}: trying the suite of ${label}`);
    return sectionsOf(root, [suite, ...optionsOf(run)], { ...env, npm_config_offline: 'true' }, run);
  };
};

const optionsOf = ({ seconds, records }: SuiteRun): readonly string[] => [
  ...['--json', '--rounds', '1'],
  ...(seconds === undefined ? [] : ['--seconds', String(seconds)]),
  ...(records === undefined ? [] : ['--records', String(records)]),
];

async function sectionsOf(
  root: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { signal }: SuiteRun,
): Promise<readonly SectionJson[]> {
  const script = fileURLToPath(new URL('ops/bench/main.js', root));
  const options = { env, signal, maxBuffer: 1 << 28 };
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], options);
  return JSON.parse(stdout) as readonly SectionJson[];
}

/** Keeps to the first of two that works; if neither does, says why the first one does not. */
function firstToWork(one: Measure, other: Measure, signal: AbortSignal) {
  let left: readonly Measure[] = [one, other];
  let failure: string | undefined;
  return async (): Promise<{ readonly sections: readonly SectionJson[]; readonly failure?: string }> => {
    for (const measure of left) {
      try {
        const sections = await measure();
        left = [measure];
        return { sections };
      } catch (error) {
        signal.throwIfAborted();
        failure ??= failureIn(error);
      }
    }
    left = [];
    return { sections: [], ...(failure !== undefined && { failure }) };
  };
}

/** What a process has written about it, in one line. */
function failureIn(error: unknown): string {
  const { stderr = '' } = error as { readonly stderr?: string };
  return /^(?:bench|\w*Error|Problem): (.+)$/m.exec(stderr)?.[1] ?? 'its suite fails';
}
