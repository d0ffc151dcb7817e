import type { Timestamp } from '../../contracts/scalars.js';

let at = Number.NaN;
let text = '';

/** The current time as text, cached within a millisecond: formatting is expensive and frequent. */
export function nowText(): Timestamp {
  const now = Date.now();
  if (now !== at) {
    at = now;
    text = new Date(now).toISOString();
  }
  return text;
}
