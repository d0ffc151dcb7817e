import type { Long, Uuid } from '../../contracts/scalars.js';

/** The position of an event in the order of occurrence. */
export interface OrderKey {
  /** Microseconds since 1970. */
  readonly at: number;
  readonly store: Uuid;
  readonly position: Long;
}

export function compareKeys(a: OrderKey, b: OrderKey): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.store !== b.store) return a.store < b.store ? -1 : 1;
  return a.position - b.position;
}
