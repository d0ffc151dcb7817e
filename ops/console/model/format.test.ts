import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { ago, clock, count, counted, duration, indented, perSecond, shortId } from './format.js';

const test = suite('format');

test('a duration has its shortest readable form', () => {
  const texts = [0.0004, 0.25, 1.25, 9.97, 42.4, 1500, 75_000, 7_200_000, 172_800_000].map(duration);
  assert.equal(texts, ['0 µs', '250 µs', '1.3 ms', '10 ms', '42 ms', '1.5 s', '1 min', '2 h', '2 d']);
  assert.is(duration(undefined), '–');
});

test('numbers keep their digits until they are large', () => {
  assert.equal([count(7), count(12_345), count(1_234_567)], ['7', '12,345', '1.2M']);
});

test('a count agrees with what is counted', () => {
  assert.equal(
    [0, 1, 164_540].map((value) => counted(value, 'event')),
    ['0 events', '1 event', '164.5K events'],
  );
});

test('a low rate is not rounded to nothing', () => {
  assert.equal([0, 0.3, 2, 9.96, 1234.4].map(perSecond), ['0', '0.3', '2', '10', '1,234']);
});

test('JSON is shown on several lines, unless it was cut', () => {
  assert.is(indented('{"who":"Ada"}'), '{\n  "who": "Ada"\n}');
  assert.is(indented('{"who":"A … (7 more characters)'), '{"who":"A … (7 more characters)');
});

test('ids are shortened to their ends, which differ', () => {
  assert.is(shortId('01a1ddc9-d459-74ba-845b-b75f81c9a619'), '…81c9a619');
  assert.is(shortId('order-7'), 'order-7');
});

test('an invalid time is not shown as a time', () => {
  assert.equal([clock(''), ago(undefined, 0), ago('soon', 0)], ['', '', '']);
  const iso = '2026-01-15T10:11:12.345678Z';
  assert.match(clock(iso, 'short', Date.parse(iso) + 1000), /^\d\d:\d\d:\d\d\.345$/);
  assert.is(ago('2026-01-01T00:00:00.000Z', Date.parse('2026-01-01T00:00:05.000Z')), '5 s');
  assert.is(ago('2026-01-01T00:00:00.000Z', Date.parse('2026-01-01T00:00:00.000Z')), '1 s');
});

test('a time of another day has its date', () => {
  const iso = '2026-01-15T10:11:12.345Z';
  assert.match(clock(iso, 'short', Date.parse(iso) + 3 * 86_400_000), /^2026-01-15 \d\d:11:12\.345$/);
  assert.match(clock(iso, 'dated', Date.parse(iso)), /^2026-01-15 /);
});
