import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Cron } from './cron.js';

const test = suite('Cron');

/** The first occurrences after a time, in UTC. */
function occurrences(expression: string, timeZone: string, after: string, count: number): readonly string[] {
  const cron = new Cron(expression, timeZone);
  const found: string[] = [];
  for (let time: number | undefined = Date.parse(after); found.length < count;) {
    time = cron.after(time);
    if (time === undefined) break;
    found.push(new Date(time).toISOString().slice(0, 16));
  }
  return found;
}

test('an expression counts in its time zone', () => {
  assert.equal(occurrences('30 2 * * *', 'Europe/Berlin', '2026-01-10T00:00:00Z', 2), [
    '2026-01-10T01:30',
    '2026-01-11T01:30',
  ]);
  assert.equal(occurrences('0 9 * * 1-5', 'Asia/Kathmandu', '2026-01-09T00:00:00Z', 2), [
    '2026-01-09T03:15',
    '2026-01-12T03:15',
  ]);
});

test('a time in the gap of spring occurs when the gap ends, and one in the overlap of autumn occurs once', () => {
  const around = (zone: string, day: string, expression = '30 2 * * *') =>
    occurrences(expression, zone, `${day}T00:00:00Z`, 3);
  assert.equal(around('Europe/Berlin', '2026-03-28'), [
    '2026-03-28T01:30',
    '2026-03-29T01:00',
    '2026-03-30T00:30',
  ]);
  assert.equal(around('Europe/Berlin', '2026-10-24'), [
    '2026-10-24T00:30',
    '2026-10-25T00:30',
    '2026-10-26T01:30',
  ]);
  assert.equal(around('America/New_York', '2026-03-07'), [
    '2026-03-07T07:30',
    '2026-03-08T07:00',
    '2026-03-09T06:30',
  ]);
  assert.equal(around('America/New_York', '2026-10-31', '30 1 * * *'), [
    '2026-10-31T05:30',
    '2026-11-01T05:30',
    '2026-11-02T06:30',
  ]);
  // Half an hour: the clocks of Lord Howe go from 02:00 to 02:30, and from 02:00 back to 01:30.
  assert.equal(around('Australia/Lord_Howe', '2026-10-02', '15 2 * * *'), [
    '2026-10-02T15:45',
    '2026-10-03T15:30',
    '2026-10-04T15:15',
  ]);
  assert.equal(around('Australia/Lord_Howe', '2026-04-03', '45 1 * * *'), [
    '2026-04-03T14:45',
    '2026-04-04T14:45',
    '2026-04-05T15:15',
  ]);
});

test('every half hour goes on through both changes', () => {
  for (const [zone, start] of [
    ['Europe/Berlin', '2026-03-28T23:00:00Z'],
    ['Europe/Berlin', '2026-10-24T22:00:00Z'],
    ['America/New_York', '2026-03-08T04:00:00Z'],
    ['America/New_York', '2026-11-01T03:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T12:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T13:00:00Z'],
    ['Asia/Kathmandu', '2026-03-28T23:00:00Z'],
  ] as const) {
    const times = occurrences('*/30 * * * *', zone, start, 12).map((text) => Date.parse(`${text}:00Z`));
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    assert.equal(new Set(gaps), new Set([1_800_000]), `${zone} ${start}`);
  }
});

test('the hours of a zone stay the hours of its clocks when they change by half an hour', () => {
  assert.equal(occurrences('0 * * * *', 'Australia/Lord_Howe', '2026-04-04T13:30:00Z', 3), [
    '2026-04-04T14:00',
    '2026-04-04T15:30',
    '2026-04-04T16:30',
  ]);
  assert.equal(occurrences('0 * * * *', 'Australia/Lord_Howe', '2026-10-03T14:00:00Z', 3), [
    '2026-10-03T14:30',
    '2026-10-03T16:00',
    '2026-10-03T17:00',
  ]);
});

test('a zone without summer time keeps its hour all year', () => {
  const times = occurrences('30 2 * * *', 'Asia/Kathmandu', '2026-01-01T00:00:00Z', 365);
  assert.equal(new Set(times.map((time) => time.slice(11))), new Set(['20:45']));
});

test('the last occurrences up to a time include that time', () => {
  const cron = new Cron('*/10 * * * *', 'UTC');
  const at = (text: string) => Date.parse(`2026-01-01T${text}Z`);
  assert.equal(cron.upTo(at('12:30:00'), 2), [at('12:20:00'), at('12:30:00')]);
  assert.equal(cron.upTo(at('12:30:00.500'), 1), [at('12:30:00')]);
  assert.equal(cron.upTo(at('12:29:59.999'), 1), [at('12:20:00')]);
});

test('what never occurs is refused', () => {
  for (const expression of ['0 0 30 2 *', '0 0 31 4,6,9,11 *'])
    assert.throws(() => new Cron(expression, 'Europe/Berlin'), /never occurs/);
});

test('what cannot be read is refused on one line', () => {
  const refused = (expression: unknown, zone: unknown, message: RegExp) =>
    assert.throws(() => new Cron(expression as string, zone as string), message);
  refused('61 * * * *', 'UTC', /cannot be read/);
  refused('*/0 * * * *', 'UTC', /cannot be read/);
  refused('', 'UTC', /^cron must be a text\.$/);
  refused(undefined, 'UTC', /^cron must be a text\.$/);
  refused('1'.repeat(100_000), 'UTC', /^cron is longer than 200 characters\.$/);
  refused('* * * * *', 'Europe/Nowhere', /^timeZone 'Europe\/Nowhere' is not known; use an IANA name/);
  refused('* * * * *', '+01:00', /is not known/);
  refused('* * * * *', undefined, /^timeZone must be a text\.$/);
});

test('an expression that has not five fields is refused with how many it has', () => {
  for (const [expression, fields] of [
    ['30 2', '2 fields'],
    ['0 30 2 * * *', '6 fields'],
    ['daily', '1 field'],
  ] as const)
    assert.throws(
      () => new Cron(expression, 'UTC'),
      (error: Error) =>
        error.message ===
        `cron '${expression}' has ${fields}; it needs five: minute, hour, day of the month, month, day of the week.`,
    );
  assert.ok(new Cron(' 30  2 * * * ', 'UTC'));
  assert.ok(new Cron('@daily', 'UTC'));
});
