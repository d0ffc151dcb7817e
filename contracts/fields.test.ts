import * as assert from 'uvu/assert';
import {
  bool,
  duration,
  flagsOf,
  generatedId,
  int,
  json,
  long,
  nullable,
  oneOf,
  optional,
  text,
  textOrNull,
  timestamp,
  uuid,
  withDefault,
  type Field,
} from './fields.js';
import type { Fault } from './problems.js';
import { isUuid } from './scalars.js';
import { suite } from './testing/suite.js';

const test = suite('fields');

const Color = { Red: 'Red', Green: 'Green' } as const;
const Level = { Low: 1, High: 2 } as const;
const Rights = { None: 0, Read: 1, Write: 4 } as const;

const faultsOf = (field: Field, value: unknown, path: string): readonly Fault[] => {
  const faults: Fault[] = [];
  field.check(value, path, faults);
  return faults;
};

const messageOf = (field: Field, value: unknown): string | undefined =>
  faultsOf(field, value, '/it')[0]?.message;

test('each kind of field accepts its own values and names what it expects instead of others', () => {
  const rows: readonly (readonly [Field, unknown, unknown, string])[] = [
    [text, '', 1, 'must be a string'],
    [textOrNull, null, 1, 'must be a string or null'],
    [bool, false, 'false', 'must be true or false'],
    [uuid, '00000000-0000-0000-0000-000000000001', 'one', 'must be a UUID'],
    [int, -1, 2 ** 31, 'must be a 32-bit integer'],
    [long, 2 ** 31, 2 ** 53, 'must be an integer'],
    [timestamp, '2026-03-01T09:30:00Z', '2026-03-01', 'must be an ISO 8601 timestamp with offset'],
    [duration, 'PT0.153S', 153, 'must be an ISO 8601 duration'],
    [json, null, 1n, 'must be a JSON value'],
    [json, [{ a: 1 }], () => 1, 'must be a JSON value'],
    [oneOf(Color), 'Green', 'Blue', 'must be one of Red, Green'],
    [oneOf(Level), 2, 'High', 'must be one of Low (1), High (2)'],
    [flagsOf(Rights), 5, 2, 'must be a combination of None, Read, Write'],
    [flagsOf(Rights), 0, '1', 'must be a combination of None, Read, Write'],
  ];
  for (const [field, good, bad, message] of rows) {
    assert.is(messageOf(field, good), undefined, message);
    assert.is(messageOf(field, bad), message);
  }
});

test('a fault is reported at the path of its field', () => {
  assert.equal(faultsOf(text, 1, '/scope/tenantId'), [
    { path: '/scope/tenantId', message: 'must be a string' },
  ]);
});

test('a field is required unless it is made optional or has a default', () => {
  assert.is(text.presence, 'required');
  assert.is(optional(text).presence, 'optional');
  assert.is(withDefault(text, 'x').presence, 'defaulted');
  assert.is(nullable(text).presence, 'defaulted');
  assert.is(generatedId.presence, 'defaulted');
});

test('a default, null and a new id fill an absent field', () => {
  assert.is(withDefault(oneOf(Color), 'Red').fallback?.(), 'Red');
  assert.is(
    withDefault(uuid, '0190B5D4-0000-7000-8000-00000000000A').fallback?.(),
    '0190b5d4-0000-7000-8000-00000000000a',
  );
  assert.is(nullable(text).fallback?.(), null);
  const [first, second] = [generatedId.fallback?.(), generatedId.fallback?.()];
  assert.ok(isUuid(first) && isUuid(second) && first !== second);
});

test('a UUID is kept in lower case', () => {
  assert.is(uuid.keep('0190B5D4-0000-7000-8000-00000000000A'), '0190b5d4-0000-7000-8000-00000000000a');
});

test('a nullable field accepts null and the values of its field', () => {
  assert.is(messageOf(nullable(uuid), null), undefined);
  assert.is(messageOf(nullable(uuid), 'one'), 'must be a UUID');
  assert.is(nullable(text).keep(null), null);
  assert.is(nullable(text).keep('x'), 'x');
});
