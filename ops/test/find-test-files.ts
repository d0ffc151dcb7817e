import { filesIn, type Root } from './roots.js';

const ownFixtures = 'ops/test/fixtures/';

/** Compiled test files, as sorted paths in the repository; with filters, those whose path contains one of them. */
export async function findTestFiles(
  roots: readonly Root[],
  filters: readonly string[] = [],
): Promise<string[]> {
  const files = await filesIn(roots, (path) => path.endsWith('.test.js') && !path.startsWith(ownFixtures));
  if (filters.length === 0) return files;
  return files.filter((path) => filters.some((filter) => matches(path, filter)));
}

/** The filters that none of the files found matches. */
export const unmatched = (filters: readonly string[], files: readonly string[]): string[] =>
  filters.filter((filter) => !files.some((file) => matches(file, filter)));

/** A filter may name the source. */
const matches = (path: string, filter: string): boolean => path.includes(filter.replace(/\.ts$/, '.js'));

/** A long matrix or soak. */
export const isLong = (file: string): boolean => /\.full(?:\.live)?\.test\.js$/.test(file);

/** A live file needs real servers. */
export const isLive = (file: string): boolean => file.endsWith('.live.test.js');

/** Ends a file that hangs. It measures nothing: a busy machine takes twenty times as long as an idle one. */
export function timeoutFor(file: string, override: string | undefined): number {
  return override === undefined ? (isLive(file) ? 1_800_000 : 600_000) : Number(override);
}
