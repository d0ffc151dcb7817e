import {
  boolean,
  decimal,
  type Decode,
  decodeBody,
  decodeStrictly,
  duration,
  int,
  json,
  long,
  map,
  number,
  oneOf,
  text,
  timestamp,
  uuid,
  array,
} from '../../contracts/codec.js';
import { type FormatName, formats } from '../../contracts/formats.js';
import { writtenIn } from '../../contracts/number-source-text.js';
import { parseBody } from '../../endpoints/http/read-json-body.js';
import { problemBody, problemOf } from '../../endpoints/problem.js';
import { denseShapes, valueShapes } from './hostile-shapes.js';
import type { UntrustedParser } from './untrusted-parser.js';

const longestBody = 1_048_576;
/** A shorter one shows what each kind costs. */
const longEnough = 65_536;

const kinds: Readonly<Record<string, Decode<unknown>>> = {
  text,
  'bounded text': (value, path, faults) =>
    text(value, path, faults, { minLength: 2, maxLength: 40, pattern: /^(?:a+)+$/ }),
  uuid,
  int,
  long,
  number,
  decimal,
  timestamp,
  duration,
  boolean,
  'one of several': (value, path, faults) => oneOf(value, path, faults, ['normal', 'express']),
  json,
  ...Object.fromEntries(
    (Object.keys(formats) as FormatName[]).map((format): [string, Decode<unknown>] => [
      format,
      (value, path, faults) => text(value, path, faults, { format }),
    ]),
  ),
};

/** With any number of lists and maps around it. */
const within = (decode: Decode<unknown>): Decode<unknown> => {
  const any: Decode<unknown> = (value, path, faults) => {
    if (Array.isArray(value)) return array(value, path, faults, any);
    return typeof value === 'object' && value !== null
      ? map(value, path, faults, any)
      : decode(value, path, faults);
  };
  return any;
};

const parserOf = (
  kind: string,
  decode: Decode<unknown>,
  limit: number,
  decodeWhole = decodeBody,
): UntrustedParser => ({
  name: `${kind} in a body`,
  in: 'endpoints/http/read-json-body.ts',
  limit,
  shapes: valueShapes,
  isJson: true,
  read: (value: string) => {
    const body = `{"x":${value}}`;
    try {
      return decodeWhole(within(decode), parseBody(Buffer.from(body)), writtenIn(body));
    } catch (error) {
      return problemBody(problemOf(error), '/', 'story-7');
    }
  },
});

/** A value of each kind at every position of a body, with the answer that lists its faults. */
export const bodyParserCases: readonly UntrustedParser[] = [
  ...Object.entries(kinds).map(([kind, decode]) => parserOf(kind, decode, longEnough)),
  parserOf('a strict decimal', decimal, longEnough, decodeStrictly),
  { ...parserOf('a decimal', decimal, longestBody), shapes: denseShapes },
];
