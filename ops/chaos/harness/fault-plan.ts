import { randomFrom } from './seeded-random.js';

/** A fault of a run. */
export type Fault =
  | { readonly kind: 'kill' }
  /** Restarts the host with a failpoint where it exits the n-th time it gets there. */
  | { readonly kind: 'failpoint'; readonly name: string; readonly pass: number }
  | { readonly kind: 'terminate' }
  | { readonly kind: 'stop-postgres' };

export interface FaultStep {
  /** The number of further acknowledged commands before it happens. */
  readonly after: number;
  readonly fault: Fault;
}

/** Every failpoint at the start or just after the end of a commit. */
export const failpoints = [
  'store-before-commit',
  'store-after-commit',
  'emitter-before-commit',
  'emitter-after-commit',
  'idempotency-after-claim',
  'idempotency-before-commit',
  'idempotency-after-commit',
] as const;

export const faultKinds = ['kill', 'failpoint', 'terminate', 'stop-postgres'] as const;

/** Endless, and the same for the same seed; of one kind only, if one is given. */
export function* faultPlan(seed: number, only?: Fault['kind']): Generator<FaultStep, never> {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  for (;;) {
    const step = { after: 20 + below(180), fault: faultOf(below) };
    if (only === undefined || step.fault.kind === only) yield step;
  }
}

function faultOf(below: (limit: number) => number): Fault {
  const dice = below(100);
  if (dice < 40) return { kind: 'kill' };
  if (dice < 75) {
    const name = failpoints[below(failpoints.length)] ?? failpoints[0];
    return { kind: 'failpoint', name, pass: 1 + below(30) };
  }
  return { kind: dice < 90 ? 'terminate' : 'stop-postgres' };
}
