import { randomFrom } from './harness/seeded-random.js';

/** A fault between hosts. */
export type ClusterFault =
  /** kill -9, and a restart after a while. */
  | { readonly kind: 'kill-nats'; readonly awayMs: number }
  | { readonly kind: 'kill-host'; readonly host: number }
  | { readonly kind: 'stop-monitor'; readonly awayMs: number };

interface ClusterStep {
  /** The number of acknowledged commands before it happens. */
  readonly at: number;
  readonly fault: ClusterFault;
}

export interface ClusterSize {
  readonly commands: number;
  readonly natsKills: number;
  readonly hostKills: number;
  readonly monitorStops: number;
}

/** Spread over the run, in an order that depends on the seed only. */
export function clusterFaultPlan(seed: number, size: ClusterSize): readonly ClusterStep[] {
  const random = randomFrom(seed);
  const between = (least: number, most: number) => Math.floor(least + random() * (most - least));
  const times = <T>(count: number, make: (n: number) => T): T[] =>
    Array.from({ length: count }, (_, n) => make(n));
  const faults: readonly ClusterFault[] = [
    ...times(size.natsKills, () => ({ kind: 'kill-nats', awayMs: between(200, 3_000) }) as const),
    ...times(size.hostKills, (n) => ({ kind: 'kill-host', host: n % 2 }) as const),
    ...times(size.monitorStops, () => ({ kind: 'stop-monitor', awayMs: between(2_000, 6_000) }) as const),
  ];
  const drawn = faults.map((fault) => ({ fault, order: random() })).toSorted((a, b) => a.order - b.order);
  const stretch = size.commands / (faults.length + 1);
  return drawn.map(({ fault }, index) => ({
    at: Math.floor(stretch * (index + 0.5 + random() * 0.5)),
    fault,
  }));
}
