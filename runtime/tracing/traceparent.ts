import type { Uuid } from '../../contracts/scalars.js';

/** Where each character of a trace id and its span id is in a message id; the others stay as they are here. */
const characters = Array.from(`00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`, (one) => one.charCodeAt(0));
const hexAt = Array.from({ length: 36 }, (_, at) => at).filter((at) => ![8, 13, 18, 23].includes(at));

/**
 * A message id has enough randomness for a trace id, and makes each of them easy to find from the other. Made as one
 * flat text: joined from slices it would be a dozen of them, for every request.
 */
export function traceparentFrom(id: Uuid): string {
  for (let at = 0; at < 32; at++) {
    const code = id.charCodeAt(hexAt[at] ?? 0);
    characters[3 + at] = code;
    // The span id is the second half of the trace id.
    if (at >= 16) characters[20 + at] = code;
  }
  return String.fromCharCode.apply(null, characters);
}

/** The parts of a `traceparent` of W3C Trace Context. */
interface TraceparentParts {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

const pattern = /^([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;
/** Sampled, and random: the flags that we know. */
const knownFlags = 0b11;

/** Undefined if it is not valid: then a new trace begins. */
export function traceparentParts(text: string): TraceparentParts | undefined {
  const [, version, traceId, spanId, flags, end] = pattern.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  // A later version may continue after the flags; ff is not a version.
  if (version === 'ff' || (version === '00' && end !== '')) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & knownFlags };
}

const current = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[0-3]$/;

/** As version 00, which we speak, whatever version it came in; undefined if it is not valid. */
export function asCurrentTraceparent(text: string): string | undefined {
  if (current.test(text)) return text;
  const parts = traceparentParts(text);
  return parts && traceparentText(parts);
}

export const traceparentText = ({ traceId, spanId, flags }: TraceparentParts): string =>
  `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
