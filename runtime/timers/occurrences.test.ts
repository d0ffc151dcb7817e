import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Cron } from './cron.js';
import { caughtUpMost, dueOccurrences, missedMost } from './occurrences.js';

const test = suite('Due occurrences of a schedule');

const hourly = new Cron('0 * * * *', 'UTC');
const minute = 60_000;
const at = (text: string) => Date.parse(`2026-01-01T${text}Z`);
const noon = at('12:00:00');

test('an occurrence on time is sent, and the next one comes from the grid', () => {
  for (const policy of ['once', 'skip', 'all'] as const)
    assert.equal(dueOccurrences(hourly, noon, noon + 900, policy), {
      send: { due: noon, missed: 0 },
      dropped: 0,
      next: noon + 60 * minute,
    });
});

test('once: one command stands for all that was missed', () => {
  assert.equal(dueOccurrences(hourly, noon, at('15:20:00'), 'once'), {
    send: { due: at('15:00:00'), missed: 3 },
    dropped: 0,
    next: at('16:00:00'),
  });
});

test('skip: what was missed is not sent', () => {
  assert.equal(dueOccurrences(hourly, noon, at('15:20:00'), 'skip'), { dropped: 4, next: at('16:00:00') });
});

test('skip: the occurrence of just now is sent, those before it are not', () => {
  assert.equal(dueOccurrences(hourly, noon, at('15:00:02'), 'skip'), {
    send: { due: at('15:00:00'), missed: 0 },
    dropped: 3,
    next: at('16:00:00'),
  });
});

test('all: each missed occurrence is sent, one timer after the other', () => {
  const sent: number[] = [];
  let due: number | undefined = noon;
  while (due !== undefined && due <= at('15:20:00')) {
    const { send, next } = dueOccurrences(hourly, due, at('15:20:00'), 'all');
    sent.push(send?.due ?? 0);
    due = next;
  }
  assert.equal(sent, [noon, at('13:00:00'), at('14:00:00'), at('15:00:00')]);
});

test('all: after a long downtime the last hundred are sent and the others counted', () => {
  const everyMinute = new Cron('* * * * *', 'UTC');
  const now = noon + 1_440 * minute + 5_000;
  let due: number | undefined = noon;
  let sent = 0;
  let dropped = 0;
  while (due !== undefined && due <= now) {
    const decided = dueOccurrences(everyMinute, due, now, 'all');
    sent++;
    dropped += decided.dropped;
    due = decided.next;
  }
  assert.is(sent, caughtUpMost);
  assert.is(dropped, missedMost);
  assert.is(due, noon + 1_441 * minute);
});

/** Midnight before a change of the clocks, in UTC, and how many hours there are until the next. */
const days = [
  ['Europe/Berlin', '2026-03-28T23:00:00Z', 23],
  ['Europe/Berlin', '2026-10-24T22:00:00Z', 25],
  ['America/New_York', '2026-03-08T05:00:00Z', 23],
  ['America/New_York', '2026-11-01T04:00:00Z', 25],
  ['Australia/Lord_Howe', '2026-04-04T13:00:00Z', 24.5],
  ['Australia/Lord_Howe', '2026-10-03T13:30:00Z', 23.5],
  ['Asia/Kathmandu', '2026-03-28T18:15:00Z', 24],
] as const;

for (const [zone, midnight, hours] of days)
  test(`a day of downtime from ${midnight} in ${zone}: once sends 1, skip 0, all each`, () => {
    const halfHours = new Cron('*/30 * * * *', zone);
    const daily = new Cron('0 0 * * *', zone);
    const due = Date.parse(midnight);
    const next = due + hours * 60 * minute;
    assert.is(daily.after(due), next, 'the next midnight');
    const up = next + 20 * minute;
    const missed = hours * 2;
    assert.equal(dueOccurrences(halfHours, due, up, 'once').send, { due: next, missed });
    assert.equal(dueOccurrences(halfHours, due, up, 'skip'), {
      dropped: missed + 1,
      next: next + 30 * minute,
    });
    assert.equal(dueOccurrences(daily, due, up, 'all'), { send: { due, missed: 0 }, dropped: 0, next });
    assert.equal(dueOccurrences(daily, due, up, 'once').send, { due: next, missed: 1 });
  });

test('a year of missed minutes is neither sent nor counted one by one', () => {
  const everyMinute = new Cron('* * * * *', 'UTC');
  const now = noon + 365 * 1_440 * minute;
  const { send, next } = dueOccurrences(everyMinute, noon, now, 'once');
  assert.equal([send, next], [{ due: now, missed: missedMost }, now + minute]);
});

test('a clock that went back fires the occurrence that was set, and keeps to the grid', () => {
  assert.equal(dueOccurrences(hourly, noon, noon - 5 * minute, 'once'), {
    send: { due: noon, missed: 0 },
    dropped: 0,
    next: noon + 60 * minute,
  });
});
