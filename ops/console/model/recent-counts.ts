/** The counts that rates are made from. */
export interface Counts {
  /** Those whose lifecycle began. */
  readonly requests: number;
  readonly failed: number;
  /** Those of the failed ones that are an error of the service, not a refusal. */
  readonly crashed: number;
  /** Answered with a problem before the lifecycle began. */
  readonly rejected: number;
  /** Answered with the stored answer of an earlier request. */
  readonly replayed: number;
}

/** What was counted so long ago; the clocks of a host and a browser may differ. */
export interface PastCounts extends Counts {
  readonly agoMs: number;
}

const everyMs = 1_000;

/** The sums of several hosts, oldest first; before its first count, a host has counted nothing that is shown. */
export function combinePast(hosts: readonly (readonly PastCounts[])[]): readonly PastCounts[] {
  const known = hosts.filter((past) => past.length > 0);
  const oldest = Math.max(0, ...known.map(([first]) => secondOf(first)));
  const newest = Math.min(oldest, ...known.map((past) => secondOf(past.at(-1))));
  const seconds = Array.from(
    { length: known.length === 0 ? 0 : oldest - newest + 1 },
    (_, index) => oldest - index,
  );
  return seconds.map((second) => ({
    agoMs: second * everyMs,
    ...sumOf(known.flatMap((past) => past.findLast((one) => secondOf(one) >= second) ?? past.slice(0, 1))),
  }));
}

const secondOf = (past: PastCounts | undefined): number => Math.round((past?.agoMs ?? 0) / everyMs);

export function sumOf(all: readonly Counts[]): Counts {
  const sum = (name: keyof Counts): number => all.reduce((total, counts) => total + counts[name], 0);
  return {
    requests: sum('requests'),
    failed: sum('failed'),
    crashed: sum('crashed'),
    rejected: sum('rejected'),
    replayed: sum('replayed'),
  };
}
