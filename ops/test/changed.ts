import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pageFolders } from '../build/pages.js';
import type { Imports } from './imports.js';

/** What a change touches: built files, and sources that no import reaches. */
interface Changed {
  readonly files: ReadonlySet<string>;
  readonly unknown: readonly string[];
}

/** The sources that differ from a commit, including untracked ones; nothing if there is no such commit. */
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
  const known = new Set([...imports.keys(), ...[...imports.values()].flat()]);
  const files = new Set<string>();
  const unknown: string[] = [];
  for (const source of sources) {
    const file = builtFrom(source).find((built) => known.has(built));
    if (file === undefined) unknown.push(source);
    else files.add(file);
  }
  return { files, unknown };
}

/** What may be built from a source: its module, or what has it as one part of many. */
const builtFrom = (source: string): readonly string[] => [
  source.replace(/\.tsx?$/, '.js'),
  ...pageFolders.filter((folder) => source.startsWith(`${folder}/`)),
  ...(/^examples\/[\w-]+/.exec(source) ?? []),
  ...(/^runtime\/schema\/[^/]+\.sql$/.test(source) ? ['runtime/schema/generated/files.js'] : []),
];
