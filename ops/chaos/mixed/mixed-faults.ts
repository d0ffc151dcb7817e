import { randomFrom } from '../harness/seeded-random.js';

export const mixedFaultKinds = [
  'kill a host',
  'freeze a host',
  'set the clock of a host',
  'restart all hosts, one by one',
  'deploy a revision',
  'end all connections',
  'crash the database',
  'freeze the database',
  'fill the disk of the database',
  'promote the standby',
  'cut a host from the database',
  'silence between a host and the database',
  'a slow way to the database',
  'kill the broker',
  'freeze the broker',
  'empty the broker',
  'kill a verb',
] as const;
export type MixedFaultKind = (typeof mixedFaultKinds)[number];

export interface MixedFault {
  readonly kind: MixedFaultKind;
  readonly host: number;
  /** After the load of its round has begun. */
  readonly afterMs: number;
  /** From 0 to 1: what it happens to, where that is not a host. */
  readonly draw: number;
}

/** Endless, and the same for the same seed; each kind happens once before any happens again. */
export function* mixedFaults(
  seed: number,
  hosts: number,
  among: readonly MixedFaultKind[] = mixedFaultKinds,
): Generator<MixedFault, never> {
  const random = randomFrom(seed);
  for (;;) {
    const kinds = among.map((kind) => ({ kind, at: random() }));
    for (const { kind } of kinds.sort((one, other) => one.at - other.at))
      yield {
        kind,
        host: Math.floor(random() * hosts),
        afterMs: Math.floor(random() * 1_500),
        draw: random(),
      };
  }
}
