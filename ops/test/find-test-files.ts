import { readdir } from 'node:fs/promises';

const ownFixtures = 'ops/test/fixtures/';

/**
 * Compiled test files below a root, as sorted relative paths; with filters, those whose path contains one of them.
 * Long matrices and soaks are left out unless a filter or the caller asks for them.
 */
export async function findTestFiles(
  root: string,
  filters: readonly string[],
  full = false,
): Promise<string[]> {
  const found = await readdir(root, { recursive: true });
  const isWanted = (path: string) =>
    filters.length === 0 ? full || !isLong(path) : filters.some((filter) => matches(path, filter));
  return found
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.js') && !path.startsWith(ownFixtures))
    .filter(isWanted)
    .toSorted();
}

/** The filters that none of the files found matches. */
export const unmatched = (filters: readonly string[], files: readonly string[]): string[] =>
  filters.filter((filter) => !files.some((file) => matches(file, filter)));

/** A filter may name the source. */
const matches = (path: string, filter: string): boolean => path.includes(filter.replace(/\.ts$/, '.js'));

const isLong = (file: string): boolean => /\.full(?:\.live)?\.test\.js$/.test(file);

/** A live file needs real servers. */
export function isLive(file: string): boolean {
  return file.endsWith('.live.test.js');
}

/** Ends a file that hangs; nothing is measured by it, and a busy machine takes twenty times as long as an idle one. */
export function timeoutFor(file: string, override: string | undefined): number {
  return override === undefined ? (isLive(file) ? 1_800_000 : 600_000) : Number(override);
}
