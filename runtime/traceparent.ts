import type { Uuid } from '../contracts/scalars.js';

/** A message id has enough randomness for a trace id, and makes each of them easy to find from the other. */
export function traceparentFrom(id: Uuid): string {
  const hex = id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
  return `00-${hex}-${hex.slice(16)}-00`;
}
