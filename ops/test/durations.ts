import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileResult } from './report.js';
import { pathOf, type Root } from './roots.js';

/** How long files took when they last ran. */
export type Durations = ReadonlyMap<string, number>;

export async function readDurations(path: string): Promise<Durations> {
  try {
    return new Map(Object.entries(JSON.parse(await readFile(path, 'utf8')) as Record<string, number>));
  } catch {
    return new Map();
  }
}

export async function rememberDurations(
  path: string,
  before: Durations,
  results: readonly FileResult[],
): Promise<void> {
  const took = results.filter(({ ms }) => ms > 0).map(({ file, ms }) => [file, Math.round(ms)] as const);
  const now = new Map([...before, ...took]);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(Object.fromEntries(now)));
}

/** Longest first, so that all lanes end at about the same time; a file that never ran is judged by its size. */
export async function longestFirst(
  roots: readonly Root[],
  files: readonly string[],
  durations: Durations,
): Promise<string[]> {
  const guessed = await Promise.all(
    files.map(async (file) => ({
      file,
      ms: durations.get(file) ?? (await stat(pathOf(roots, file))).size * msPerByte(file),
    })),
  );
  return guessed.toSorted((a, b) => b.ms - a.ms).map(({ file }) => file);
}

/** Tests of ops start processes; those of a few folders are short texts about long runs. */
function msPerByte(file: string): number {
  if (/^ops\/(?:simulation|supervise|untrusted-input)\//.test(file)) return 20;
  return file.startsWith('ops/') ? 3 : 1;
}
