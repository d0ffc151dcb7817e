import type { Timestamp } from '../contracts/scalars.js';

let at = Number.NaN;
let text = '';

/** The time as text, which is dear to write and asked for often within one millisecond. */
export function nowText(): Timestamp {
  const now = Date.now();
  if (now !== at) {
    at = now;
    text = new Date(now).toISOString();
  }
  return text;
}
