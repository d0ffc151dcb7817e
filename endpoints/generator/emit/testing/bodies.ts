import * as fc from 'fast-check';
import { decimalPattern, decimalPatternOf } from '../../../../contracts/scalar-patterns.js';
import type { Schema } from '../json-schema.js';

type Definitions = Readonly<Record<string, Schema>>;

/** Bodies that are valid under a schema, and variants with a few changes. */
export const bodiesOf = (schema: Schema, definitions: Definitions): fc.Arbitrary<unknown> =>
  fc
    .tuple(valuesOf(schema, definitions, 0), fc.array(change, { maxLength: 3 }))
    .map(([body, changes]) => plain(changes.reduce(changed, plain(body))));

/** The value as a parser would return it. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

function valuesOf(schema: Schema, definitions: Definitions, depth: number): fc.Arbitrary<unknown> {
  const of = (inner: unknown): fc.Arbitrary<unknown> => valuesOf(inner as Schema, definitions, depth + 1);
  const { $ref, anyOf, oneOf, type } = schema;
  if (typeof $ref === 'string') return of(definitions[$ref.split('/').at(-1) ?? '']);
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) {
    // The first choice may be the recursive one.
    const within = depth > maxDepth ? choices.slice(-1) : choices;
    return fc.oneof(...within.map(of));
  }
  if (schema['enum'] !== undefined) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if (Array.isArray(type)) return fc.oneof(...type.map((one: unknown) => of({ ...schema, type: one })));
  switch (type) {
    case 'object':
      return objectsOf(schema, of, depth);
    case 'array':
      return fc.array(of(schema['items']), lengths(schema['minItems'], schema['maxItems']));
    case undefined:
      return fc.jsonValue({ maxDepth: 2 });
    default:
      return scalarsOf(schema);
  }
}

const maxDepth = 12;

function objectsOf(
  schema: Schema,
  of: (inner: unknown) => fc.Arbitrary<unknown>,
  depth: number,
): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (additionalProperties !== undefined) {
    if (depth > maxDepth) return fc.constant({});
    const keys = fc.oneof(fc.string(), fc.constantFrom(...names));
    return fc.dictionary(keys, of(additionalProperties), { maxKeys: 2, noNullPrototype: true });
  }
  const wanted = Object.entries(properties as Record<string, unknown>).filter(
    ([name]) => depth < 5 || (required as string[]).includes(name),
  );
  const members: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(
    wanted.map(([name, inner]) => [name, of(inner)]),
  );
  return fc.record<Record<string, unknown>, string>(members, {
    requiredKeys: required as string[],
    noNullPrototype: true,
  });
}

const lengths = (min: unknown, max: unknown): fc.ArrayConstraints => {
  const minLength = Number(min ?? 0);
  return { minLength, maxLength: Math.min(Number(max ?? minLength + 2), minLength + 2) };
};

/** Prices: most doubles have an exponent, and most digit strings exceed any limit. */
const cents = fc.nat({ max: 9_900 }).map((n) => n / 100);

function scalarsOf({ type, pattern, minLength, maxLength, minimum, maximum }: Schema): fc.Arbitrary<unknown> {
  const bounds = {
    ...(minimum === undefined ? {} : { min: Number(minimum) }),
    ...(maximum === undefined ? {} : { max: Number(maximum) }),
  };
  switch (type) {
    case 'integer':
      return fc.maxSafeInteger().map((n) => Math.max(bounds.min ?? n, Math.min(bounds.max ?? n, n)));
    case 'number':
      return fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true, ...bounds }), {
        arbitrary: cents.map((n) => Math.min(bounds.max ?? n, Math.max(bounds.min ?? n, n))),
        weight: 9,
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return typeof pattern !== 'string'
        ? fc.string({
            unit: 'binary',
            minLength: Number(minLength ?? 0),
            maxLength: Math.min(Number(maxLength ?? 20), 20),
          })
        : textsMatching(pattern);
  }
}

/** fast-check does not support look-ahead, and valid days would be rare. */
function textsMatching(pattern: string): fc.Arbitrary<string> {
  if (pattern === decimalPattern.source || pattern === decimalPatternOf(60))
    return fc.oneof(fc.stringMatching(decimalPattern), { arbitrary: cents.map(String), weight: 9 });
  if (pattern.includes('(?='))
    return fc.constantFrom(...texts.filter((text) => new RegExp(pattern).test(text)));
  if (pattern.startsWith(String.raw`^\d{4}-`))
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((day) => day.toISOString());
  return pattern.includes(String.raw`\p{`)
    ? fc.constantFrom('A', 'Zab/\'"`${', 'Éa')
    : fc.stringMatching(new RegExp(pattern));
}

const names = ['a/b', '~', 'constructor', 'toString', 'extra', 'kind', ''];

const texts = [
  ...[
    '',
    'a',
    'oak',
    'normal',
    'express',
    'card',
    'park',
    '1',
    '-0',
    '00',
    '.5',
    '5.',
    '1.50',
    '99.5',
    '99.51',
  ],
  ...['-5.01', '1e5', '+1', ' 1', '123456789012345678901234567890.123', 'true', 'null', '12345', '1234५'],
  ...['ABCDEF00-0000-0000-0000-00000000000A', 'urn:uuid:abcdef00-0000-0000-0000-00000000000a', 'abcdef00'],
  ...['P1D', 'PT0.5S', '-P1DT2H3M4.5S', 'P', 'PT', 'P1Y', 'P1W', 'P1DT', 'PT1.5H', '-PT0S', 'p1d'],
  ...[
    '2026-02-30T00:00:00Z',
    '2024-02-29T23:59:59.999+23:59',
    '2023-02-29T00:00:00Z',
    '2026-01-01t00:00:00z',
  ],
  ...[
    '2016-12-31T23:59:60Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00',
    '0000-01-01T00:00:00Z',
  ],
  ...['2026-13-01T00:00:00Z', '2026-01-01T00:00Z', '2026-01-01T00:00:00+24:00', '2026-01-01T00:00:00+01'],
  ...[
    'x'.repeat(40),
    'x'.repeat(41),
    '🫖'.repeat(40),
    '🫖'.repeat(41),
    '🫖🫖🫖',
    '🫖🫖',
    '🫖',
    'a\0b',
    'a\ud800b',
    '\u2028',
  ],
];

const numbers = [
  ...[
    0, -0, 1, -1, 0.5, 1.5, -1.5, -1.6, 7, 8, 9, 10, 99.5, 99.51, 120.25, 120.26, -3, -4, -5, -5.01, -10, -11,
  ],
  ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53 - 1, 2 ** 53, -(2 ** 53) + 1, -(2 ** 53)],
  ...[1e20, 1e21, 1e-6, 1e-7, 1e308, 5e-324],
];

const values = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], [{}], { a: 1 }, ['a'], [[1]]),
  fc.constantFrom(...texts),
  fc.constantFrom(...numbers),
);

type Change = readonly ['drop' | 'replace' | 'add' | 'repeat', number, unknown];

const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom('drop', 'replace', 'replace', 'replace', 'add', 'repeat'),
  fc.nat(),
  values,
);

interface Slot {
  readonly of: Record<string, unknown> | unknown[];
  readonly key: string;
}

function changed(body: unknown, [how, where, pooled]: Change): unknown {
  const value = plain(pooled);
  const targets = placesIn(body);
  const target = targets[where % Math.max(1, targets.length)];
  if (target === undefined || where % 50 === 0) return how === 'replace' ? value : body;
  const { of, key } = target;
  if (Array.isArray(of)) {
    if (how === 'drop') of.splice(Number(key), 1);
    else if (how === 'replace') of[Number(key)] = value;
    else of.push(how === 'add' ? value : of[Number(key)]);
  } else if (how === 'drop') delete of[key];
  else of[how === 'replace' ? key : (names[where % names.length] ?? '')] = value;
  return body;
}

function placesIn(value: unknown): Slot[] {
  if (typeof value !== 'object' || value === null) return [];
  const of = value as Record<string, unknown>;
  return Object.keys(of).flatMap((key) => [{ of, key }, ...placesIn(of[key])]);
}
