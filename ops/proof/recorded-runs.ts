import { execFileSync } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../contracts/problems.js';

/** What a chaos run counted; each but the first two must be 0. */
const counted = ['commands', 'faults', 'lost', 'doubled', 'unaudited', 'missing'] as const;
type Counts = Readonly<Record<(typeof counted)[number], number>>;

/** A chaos run as a line of `proof/runs.ndjson`: without the host and the path where it ran. */
export interface RecordedRun extends Counts {
  /** What `npm run chaos --` was given besides the seed. */
  readonly run: string;
  readonly seed: number;
  /** The day. */
  readonly at: string;
  readonly commit: string;
  readonly durability: string;
  readonly seconds: number;
  readonly ok: boolean;
}

export const repository = fileURLToPath(new URL('../../../', import.meta.url));
const runsFile = join(repository, 'proof/runs.ndjson');
const maxLineBytes = 300;

/** The closing line of a chaos run; what it counted in ledgers of their own is part of it. */
export interface ChaosReport extends Partial<Counts> {
  readonly seed: number;
  readonly seconds?: number;
  readonly mode?: string;
  readonly ok: boolean;
  readonly ledgers?: Partial<Counts>;
}

/** What every run ends with, whatever else it counts; a run that has nothing to count has counted none. */
const nothingCounted = {
  seed: 0, commands: 0, faults: 0, lost: 0, doubled: 0, unaudited: 0, missing: 0,
  mode: 'local', seconds: 0,
} as const;

export const closingLine = (report: ChaosReport): string => JSON.stringify({ ...nothingCounted, ...report });

export function recordOf(
  report: ChaosReport,
  { run, at, commit }: Pick<RecordedRun, 'run' | 'at' | 'commit'>,
): RecordedRun {
  const { seed, seconds = 0, mode = 'local', ok, ledgers = {} } = report;
  const counts = Object.fromEntries(
    counted.map((name) => [name, (report[name] ?? 0) + (ledgers[name] ?? 0)]),
  ) as Counts;
  return { run, seed, at, commit, durability: mode, ...counts, seconds, ok };
}

/** Refuses a line that the file could not have been given by a run. */
export function runsIn(text: string): readonly RecordedRun[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const run = asRun(line);
      if (run !== undefined) return run;
      throw new Problem('unexpected', {
        detail: `Line ${index + 1} of proof/runs.ndjson is not a recorded run.`,
      });
    });
}

function asRun(line: string): RecordedRun | undefined {
  if (Buffer.byteLength(line) > maxLineBytes) return undefined;
  const run = JSON.parse(line) as RecordedRun;
  const isWhole = [...counted, 'seed', 'seconds'].every((name) =>
    Number.isSafeInteger(run[name as keyof RecordedRun]),
  );
  const isNamed =
    /^[a-z0-9 -]*$/.test(run.run) && /^\d{4}-\d\d-\d\d$/.test(run.at) && /^[0-9a-f]{12}$/.test(run.commit);
  return isWhole && isNamed && typeof run.ok === 'boolean' ? run : undefined;
}

export const readRuns = async (): Promise<readonly RecordedRun[]> =>
  runsIn(await readFile(runsFile, 'utf8').catch(() => ''));

/** Seeds of runs that failed, once each: they are run again before a release. */
export function failedSeeds(runs: readonly RecordedRun[]): readonly Pick<RecordedRun, 'run' | 'seed'>[] {
  const failed = new Map(
    runs.filter(({ ok }) => !ok).map(({ run, seed }) => [`${run} ${seed}`, { run, seed }]),
  );
  return [...failed.values()];
}

const written = ['proof', 'docs/proof.md', 'docs/benchmarks.md', 'docs/pictures'];

/** The commit of a run that is recorded. Sources that no commit has could not be run again by anybody. */
export function committed(): string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();
  if (git('status', '--porcelain', '--', '.', ...written.map((path) => `:!${path}`)) !== '')
    throw new Problem('usage', {
      detail: '--record needs a work tree without changes: commit them first.',
    });
  return git('rev-parse', '--short=12', 'HEAD');
}

export const appendRun = (run: RecordedRun): Promise<void> =>
  appendFile(runsFile, `${JSON.stringify(run)}\n`);
