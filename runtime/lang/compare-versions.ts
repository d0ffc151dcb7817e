/** Compares as for a sort; undefined when a version is unknown. A pre-release precedes its release. */
export function compareVersions(a: string | null, b: string | null): number | undefined {
  const [left, right] = [parsed(a), parsed(b)];
  if (left === undefined || right === undefined) return undefined;
  for (const [index, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[index] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  if (left.suffix === right.suffix) return 0;
  if (left.suffix === '' || right.suffix === '') return left.suffix === '' ? 1 : -1;
  return Math.sign(left.suffix.localeCompare(right.suffix, 'en', { numeric: true }));
}

/** False when they cannot be compared. */
export const isNewer = (one: string | null, other: string | null): boolean =>
  (compareVersions(one, other) ?? 0) > 0;

function parsed(version: string | null) {
  const [, major, minor, patch, suffix = ''] =
    /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([\w.-]+))?(?:\+.*)?$/.exec(version ?? '') ?? [];
  if (major === undefined) return undefined;
  return { numbers: [Number(major), Number(minor ?? 0), Number(patch ?? 0)], suffix };
}
