import { execFile } from 'node:child_process';
import { access, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Problem } from '../../../contracts/problems.js';
import { ourRoot } from './build-under-test.js';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../', ourRoot));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** An earlier commit, built beside this one. */
export interface EarlierBuild {
  /** The suffix of its variants' names. */
  readonly label: string;
  /** The address of the folder in which its modules lie as their sources do. */
  readonly root: string;
}

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
  return { label: sha.slice(0, 7), root: await moduleRootOf(folder) };
}

/** Commits before the package was a bundle have their modules in `dist/`. */
export async function moduleRootOf(folder: string): Promise<string> {
  const modules = (await exists(join(folder, 'build'))) ? 'build' : 'dist';
  return pathToFileURL(join(folder, modules, '/')).href;
}

async function shaOf(commit: string): Promise<string> {
  try {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`];
    return (await run('git', args, { cwd: checkout })).stdout.trim();
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
    await run('git', ['archive', '-o', archive, sha], { cwd: checkout });
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
    [folder, checkout].map((each) => readFile(join(each, 'package-lock.json'), 'utf8')),
  );
  if (theirs === ours) await linkPackages(join(checkout, 'node_modules'), join(folder, 'node_modules'));
  else await run(npm, ['install', '--no-save', '--no-audit', '--no-fund'], { cwd: folder });
}

/** One by one: the build adds a link to its own package. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to);
  const names = (await readdir(from)).filter((name) => name !== 'svc-runtime' && name !== '.cache');
  for (const name of names) await symlink(join(from, name), join(to, name), 'junction');
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
