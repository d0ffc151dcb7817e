import { isLive } from './find-test-files.js';
import type { Durations } from './durations.js';

interface Shard {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

export function parseShard(text: string): Shard | undefined {
  const [, number = 0, of = 0] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []).map(Number);
  return number >= 1 && number <= of ? { number, of } : undefined;
}

/**
 * One part of the files, balanced by how long they took. Machines that share the parts must agree on them, so without a
 * memory of every file the files are dealt out like cards, the live ones first.
 */
export function filesOfShard(
  files: readonly string[],
  { number, of }: Shard,
  durations: Durations,
): string[] {
  const sorted = files.toSorted();
  const known = sorted.every((file) => durations.has(file));
  const msOf = (file: string): number => (known ? (durations.get(file) ?? 0) : isLive(file) ? 1 : 0);
  const parts = Array.from({ length: of }, () => ({ ms: 0, files: [] as string[] }));
  for (const file of sorted.toSorted((a, b) => msOf(b) - msOf(a))) {
    const least = parts.reduce((a, b) => (size(b, known) < size(a, known) ? b : a));
    least.ms += msOf(file);
    least.files.push(file);
  }
  return (parts[number - 1]?.files ?? []).toSorted();
}

const size = (part: { readonly ms: number; readonly files: readonly string[] }, known: boolean): number =>
  known ? part.ms : part.files.length;
