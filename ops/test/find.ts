import { readdir } from 'node:fs/promises';

const ownFixtures = 'ops/test/fixtures/';

/** Compiled test files below a root, as sorted relative paths; with filters, those whose path contains one of them. */
export async function findTestFiles(root: string, filters: readonly string[]): Promise<string[]> {
  const found = await readdir(root, { recursive: true });
  const wanted = filters.map((filter) => filter.replace(/\.ts$/, '.js'));
  return found
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.js') && !path.startsWith(ownFixtures))
    .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part)))
    .toSorted();
}

/** A live file needs real servers. */
export function isLive(file: string): boolean {
  return file.endsWith('.live.test.js');
}

/** A timed file measures how long something takes, so nothing else may run beside it. */
export function isTimed(file: string): boolean {
  return file.endsWith('.timed.live.test.js');
}

export function timeoutFor(file: string, override: string | undefined): number {
  return override === undefined ? (isLive(file) ? 600_000 : 120_000) : Number(override);
}
