import { Problem } from '../../contracts/problems.js';
import { plainLimits } from './validate-msgpack.js';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const opens = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const closes = (byte: number): boolean => byte === 0x7d || byte === 0x5d;

/** Throws a Problem when JSON text exceeds the limits of a message; whether it is JSON shows when it is parsed. */
export function mustBeShallow(bytes: Uint8Array): void {
  let depth = 0;
  let values = 1;
  let inText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (inText && byte === backslash) at++;
    else if (byte === quote) inText = !inText;
    else if (!inText && opens(byte)) mustBeWithin(++depth, ++values);
    else if (!inText && closes(byte)) depth--;
    else if (!inText && byte === comma) mustBeWithin(depth, ++values);
  }
}

function mustBeWithin(depth: number, values: number): void {
  if (depth > plainLimits.depth)
    throw new Problem('invalid-message', {
      detail: `The message is nested deeper than ${plainLimits.depth} levels.`,
    });
  if (values > plainLimits.values)
    throw new Problem('message-too-large', {
      detail: `The message holds more than ${plainLimits.values} values.`,
    });
}
