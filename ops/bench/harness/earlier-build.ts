import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Problem } from '../../../contracts/problems.js';
import type { Target } from './targets.js';
import type { Contender } from './peers.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** An earlier commit, built beside this one. */
export interface EarlierBuild {
  /** The suffix of its variants' names. */
  readonly label: string;
  /** The path of a file of this build in the other build. */
  readonly fileOf: (ours: string) => string;
}

/** The contenders of a suite; against an earlier build each of ours is listed twice, and peers are left out. */
export function contendersOf<T extends Contender>(
  all: readonly T[],
  earlier: EarlierBuild | undefined,
  of: (ours: T, build: EarlierBuild) => T,
): readonly T[] {
  if (earlier === undefined) return all;
  return all
    .filter(({ isPeer }) => isPeer !== true)
    .flatMap((each) =>
      each.isOurs === true ? [each, { ...of(each, earlier), name: earlierName(each.name, earlier) }] : [each],
    );
}

export const earlierName = (name: string, { label }: EarlierBuild): string => `${name}, ${label}`;

/** The targets of our variants against the earlier build. */
export const targetsAgainst = (
  names: readonly string[],
  earlier: EarlierBuild,
  bar: Pick<Target, 'figure' | 'atLeast' | 'atMost'>,
): readonly Target[] => names.map((of) => ({ ...bar, of, against: earlierName(of, earlier) }));

/** Builds a commit in its own folder; an existing build is reused. */
export async function buildCommit(
  commit: string,
  printProgress: (line: string) => void,
): Promise<EarlierBuild> {
  const sha = await shaOf(commit);
  const folder = join(tmpdir(), 'svc-bench', sha);
  if (!(await exists(folder))) {
    printProgress(`building ${sha.slice(0, 7)}`);
    await build(sha, folder);
  }
  return { label: sha.slice(0, 7), fileOf: (ours) => join(folder, relative(root, ours)) };
}

async function shaOf(commit: string): Promise<string> {
  try {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`];
    return (await run('git', args, { cwd: root })).stdout.trim();
  } catch (cause) {
    throw new Problem('usage', { detail: `--against: git has no commit '${commit}' here.`, cause });
  }
}

/** Renamed when it is complete, so that an interrupted build is not mistaken for a complete one. */
async function build(sha: string, folder: string): Promise<void> {
  const unfinished = `${folder}.${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  try {
    const archive = join(unfinished, 'sources.tar');
    await run('git', ['archive', '-o', archive, sha], { cwd: root });
    await run('tar', ['-xf', archive, '-C', unfinished]);
    await rm(archive);
    await addPackages(unfinished);
    await run(npm, ['run', '-s', 'build'], { cwd: unfinished });
    await rename(unfinished, folder);
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true });
    const [reason = ''] = String(cause instanceof Error ? cause.message : cause).split('\n');
    throw new Problem('unexpected', { detail: `${sha.slice(0, 7)} cannot be built: ${reason}`, cause });
  }
}

/** The packages installed here if the lock file is the same; else its own. */
async function addPackages(folder: string): Promise<void> {
  const [theirs, ours] = await Promise.all(
    [folder, root].map((each) => readFile(join(each, 'package-lock.json'), 'utf8')),
  );
  if (theirs === ours) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  else await run(npm, ['install', '--no-save', '--no-audit', '--no-fund'], { cwd: folder });
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
