import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Imports } from './imports.js';

/** What a change touches: built files, and sources that no import reaches. */
interface Changed {
  readonly files: ReadonlySet<string>;
  readonly unknown: readonly string[];
}

/** The sources that differ from a commit, those that git does not know yet included; nothing if there is no such commit. */
export async function changedSources(folder: string, ref: string): Promise<string[] | undefined> {
  const git = async (...args: readonly string[]): Promise<string[]> => {
    const { stdout } = await promisify(execFile)('git', args, { cwd: folder, maxBuffer: 2 ** 26 });
    return stdout.split('\0').filter((path) => path !== '');
  };
  try {
    await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  } catch {
    return undefined;
  }
  const tracked = await git('diff', '--name-only', '--no-renames', '-z', ref, '--');
  return [...tracked, ...(await git('ls-files', '--others', '--exclude-standard', '-z'))].toSorted();
}

export function touched(sources: readonly string[], imports: Imports): Changed {
  const files = new Set<string>();
  const unknown: string[] = [];
  for (const source of sources) {
    const file = source.replace(/\.tsx?$/, '.js');
    if (imports.has(file)) files.add(file);
    else unknown.push(source);
  }
  return { files, unknown };
}
