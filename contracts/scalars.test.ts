import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import {
  durationOf,
  isDecimal,
  isDuration,
  isInt,
  isLong,
  isTimestamp,
  isUuid,
  type Decimal,
  type Uuid,
} from './scalars.js';
import { suite } from './testing/suite.js';

const test = suite('scalars');

const refuses = (is: (value: unknown) => boolean, values: readonly unknown[]): void => {
  for (const value of values) assert.not(is(value), `accepted ${String(value)}`);
};

test('a plain literal is a scalar, but one scalar is not another', () => {
  const id: Uuid = 'any text compiles';
  const mixed: Decimal extends Uuid ? true : false = false;
  assert.is(id, 'any text compiles');
  assert.not(mixed);
});

test('a UUID is lower-case text, whatever its version', () => {
  fc.assert(fc.property(fc.uuid(), (id) => isUuid(id)));
  assert.ok(isUuid('00000000-0000-0000-0000-000000000001'));
  refuses(isUuid, [
    '0190B5D4-0000-7000-8000-000000000000',
    '0190b5d4-0000-7000-8000-00000000000',
    ' 0190b5d4-0000-7000-8000-000000000000',
    '0190b5d4000070008000000000000000',
    7,
    null,
  ]);
});

test('an Int has 32 bits', () => {
  fc.assert(fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (value) => isInt(value)));
  refuses(isInt, [2 ** 31, -(2 ** 31) - 1, 0.5, Number.NaN, '1', null]);
});

test('a Long is a safe integer', () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (value) => isLong(value)));
  refuses(isLong, [2 ** 53, 0.5, Infinity, '1', 1n]);
});

test('a Decimal is exact digits without an exponent', () => {
  const digits = fc.tuple(fc.bigInt(), fc.option(fc.stringMatching(/^\d{1,40}$/)));
  fc.assert(
    fc.property(digits, ([whole, fraction]) =>
      isDecimal(fraction === null ? `${whole}` : `${whole}.${fraction}`),
    ),
  );
  refuses(isDecimal, ['1e3', '01', '.5', '5.', '+1', '', '1,5', 'NaN', 12.5]);
});

test('a Timestamp has an offset', () => {
  const dates = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(fc.property(dates, (date) => isTimestamp(date.toISOString())));
  assert.ok(isTimestamp('2026-03-01T09:30:00.123456+02:00'));
  for (const day of ['2024-02-29', '2000-02-29', '2026-12-31'])
    assert.ok(isTimestamp(`${day}T00:00:00Z`), day);
  const noDays = ['2026-02-29', '1900-02-29', '2026-04-31', '2026-01-00', '2026-00-01', '2026-01-32'];
  refuses(
    isTimestamp,
    noDays.map((day) => `${day}T00:00:00Z`),
  );
  refuses(isTimestamp, [
    '2026-03-01T09:30:00',
    '2026-03-01',
    '2026-13-01T09:30:00Z',
    '2026-03-01 09:30:00Z',
    1_772_000_000_000,
    new Date(0),
  ]);
});

test('a Timestamp has at most nine digits after the point', () => {
  assert.ok(isTimestamp('2026-03-01T09:30:00.123456789Z'));
  refuses(isTimestamp, ['2026-03-01T09:30:00.1234567890Z', `2026-03-01T09:30:00.${'0'.repeat(100_000)}Z`]);
});

test('a Duration has days, hours, minutes and seconds', () => {
  for (const duration of ['PT0S', 'PT0.153S', 'P1D', 'P1DT2H3M4.5S', '-PT5M']) {
    assert.ok(isDuration(duration), duration);
  }
  refuses(isDuration, ['P', 'PT', 'P1DT', 'PT1.5H', '5S', 'PT-5S', 153]);
});

test('milliseconds become the equivalent Duration', () => {
  assert.is(durationOf(153), 'PT0.153S');
  fc.assert(
    fc.property(fc.nat(), (milliseconds) => {
      const duration = durationOf(milliseconds);
      return isDuration(duration) && Math.round(Number(duration.slice(2, -1)) * 1000) === milliseconds;
    }),
  );
});
