import { Problem } from '../../contracts/problems.js';

/** The limits of a decoded message; no properly sent message comes near them. */
export const plainLimits = { depth: 128, values: 1 << 18 } as const;

interface Open {
  /** Values still to read; the keys of a map count too. */
  remaining: number;
  readonly isMap: boolean;
}

/**
 * Throws a Problem unless the bytes are one value in the subset of msgpack that JSON shares. Extensions are rejected
 * because some refer back to earlier values: a few bytes become gigabytes. Visits each value once.
 */
export function validateMsgpack(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const open: Open[] = [];
  let at = 0;
  let values = 0;
  do {
    const token = bytes[at];
    if (token === undefined) throw endsEarly();
    const inside = open.at(-1);
    if (inside?.isMap === true && inside.remaining % 2 === 0 && !isText(token))
      throw invalid('A key is not text.');
    if (inside !== undefined) inside.remaining--;
    values++;
    if (token === 0xca || token === 0xcb) mustBeFinite(view, at);
    at += lengthOf(token, at, view);
    const holds = valuesIn(token, at, view);
    if (holds > 0) open.push({ remaining: holds, isMap: isMap(token) });
    mustBeWithin(open.length, values + holds);
    while (open.at(-1)?.remaining === 0) open.pop();
  } while (open.length > 0);
  if (at > bytes.length) throw endsEarly();
  if (at < bytes.length) throw invalid('The body does not end where its value does.');
}

/** JSON would silently turn it into null. */
function mustBeFinite(view: DataView, at: number): void {
  const isShort = view.getUint8(at) === 0xca;
  if (at + (isShort ? 4 : 8) >= view.byteLength) throw endsEarly();
  const number = isShort ? view.getFloat32(at + 1) : view.getFloat64(at + 1);
  if (!Number.isFinite(number)) throw invalid('A number is not finite.');
}

function mustBeWithin(depth: number, values: number): void {
  if (depth > plainLimits.depth)
    throw invalid(`The message is nested deeper than ${plainLimits.depth} levels.`);
  if (values <= plainLimits.values) return;
  const detail = `The message holds more than ${plainLimits.values} values.`;
  throw new Problem('message-too-large', { detail });
}

/** The bytes of a value; of a list or map only those before its first element. */
function lengthOf(token: number, at: number, view: DataView): number {
  if (token < 0xa0 || token >= 0xe0) return 1;
  if (token < 0xc0) return 1 + (token & 0x1f);
  const found = lengths[token];
  if (found === undefined) throw invalid(reasonAgainst(token));
  const isLongText = token >= 0xd9 && token <= 0xdb;
  return isLongText ? found + unsigned(view, at + 1, found - 1) : found;
}

// prettier-ignore
const lengths: Readonly<Record<number, number>> = {
  0xc0: 1, 0xc2: 1, 0xc3: 1, 0xca: 5, 0xcb: 9, 0xcc: 2, 0xcd: 3, 0xce: 5, 0xcf: 9, 0xd0: 2, 0xd1: 3, 0xd2: 5, 0xd3: 9,
  0xd9: 2, 0xda: 3, 0xdb: 5, 0xdc: 3, 0xdd: 5, 0xde: 3, 0xdf: 5,
};

const reasonAgainst = (token: number): string =>
  token >= 0xc4 && token <= 0xc6
    ? 'Binary values are not accepted.'
    : 'Extensions of msgpack are not accepted.';

/** The number of values in a list or map; `end` is just after its length. */
function valuesIn(token: number, end: number, view: DataView): number {
  const factor = isMap(token) ? 2 : 1;
  if (token >= 0x80 && token < 0xa0) return factor * (token & 0x0f);
  if (token === 0xdc || token === 0xde) return factor * unsigned(view, end - 2, 2);
  if (token === 0xdd || token === 0xdf) return factor * unsigned(view, end - 4, 4);
  return 0;
}

const isMap = (token: number): boolean => (token & 0xf0) === 0x80 || token === 0xde || token === 0xdf;

const isText = (token: number): boolean => (token & 0xe0) === 0xa0 || (token >= 0xd9 && token <= 0xdb);

function unsigned(view: DataView, at: number, size: number): number {
  if (at + size > view.byteLength) throw endsEarly();
  if (size === 1) return view.getUint8(at);
  return size === 2 ? view.getUint16(at) : view.getUint32(at);
}

const invalid = (detail: string): Problem => new Problem('invalid-message', { detail });

const endsEarly = (): Problem => invalid('The body ends in the middle of a value.');
