import { randomFrom } from '../harness/seeded-random.js';

/** A fault of a run with two hosts; `host` is the one that it happens to. */
export type LedgerFault =
  | { readonly kind: 'kill'; readonly host: number }
  /** Restarts the host with a failpoint where it exits the n-th time it gets there. */
  | { readonly kind: 'failpoint'; readonly host: number; readonly name: string; readonly pass: number }
  /** Stops the process for longer than a lease, and lets it continue. */
  | { readonly kind: 'freeze'; readonly host: number }
  /** Ends all connections. */
  | { readonly kind: 'terminate' }
  | { readonly kind: 'stop-postgres' };

/** Around the commits of what reactions, processes and timers cause. */
export const reactionFailpoints = [
  'reaction-before-commit',
  'reaction-after-commit',
  'timer-after-commit',
] as const;

/** How many faults of each kind; every failpoint happens once in each round of failpoints. */
export interface FaultCounts {
  readonly kills: number;
  readonly failpointRounds: number;
  readonly freezes: number;
  readonly terminations: number;
  readonly crashes: number;
}

/** The same order for the same seed. */
export function ledgerFaults(
  seed: number,
  counts: FaultCounts,
  failpoints: readonly string[] = reactionFailpoints,
  hosts = 2,
): readonly LedgerFault[] {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const times = (count: number, fault: () => LedgerFault) => Array.from({ length: count }, fault);
  const faults: LedgerFault[] = [
    ...times(counts.kills, () => ({ kind: 'kill', host: below(hosts) })),
    ...failpoints.flatMap((name) =>
      times(counts.failpointRounds, () => ({
        ...({ kind: 'failpoint', host: below(hosts), name, pass: 1 + below(20) } as const),
      })),
    ),
    ...times(counts.freezes, () => ({ kind: 'freeze', host: below(hosts) })),
    ...times(counts.terminations, () => ({ kind: 'terminate' })),
    ...times(counts.crashes, () => ({ kind: 'stop-postgres' })),
  ];
  return faults
    .map((fault) => ({ fault, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ fault }) => fault);
}
