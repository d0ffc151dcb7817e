import { randomFrom } from '../harness/seeded-random.js';

/** Faults of a store on several servers, and of its broker. */
export const failoverFaults = [
  'postmaster-killed',
  'machine-lost',
  'manager-frozen',
  'switchover',
  'nats-leader-lost',
] as const;
export type FailoverFault = (typeof failoverFaults)[number];

/** Every fault equally often, in an order that depends on the seed only. */
export function failoverPlan(
  seed: number,
  rounds: number,
  faults: readonly FailoverFault[] = failoverFaults,
): readonly FailoverFault[] {
  const random = randomFrom(seed);
  return Array.from({ length: rounds }, () =>
    faults
      .map((fault) => ({ fault, order: random() }))
      .toSorted((a, b) => a.order - b.order)
      .map(({ fault }) => fault),
  ).flat();
}
