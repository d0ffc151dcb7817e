import * as assert from 'uvu/assert';
import { ReactionFailed } from '../../contracts/events/error.js';
import { Problem } from '../../contracts/problems.js';
import type { Schedule } from '../../contracts/schedule.js';
import { suite } from '../../contracts/testing/suite.js';
import { knownSchedules, timerAtStart } from './fire-schedule.js';
import { type FiringOutcome } from './fire-timer.js';
import { minute, shop, CloseBooks } from '../testing/reminding-shop.js';

const test = suite('schedules');

const nightly = (missed?: Schedule['missed']): Schedule => ({
  name: 'nightly-close',
  cron: '30 2 * * *',
  timeZone: 'UTC',
  ...(missed !== undefined && { missed }),
  command: (due, count) => CloseBooks.of({ day: due.slice(0, 10), missed: count }),
});

/** A service whose schedule has its timer. */
async function scheduled(missed?: Schedule['missed'], onClose?: (command: CloseBooks) => void) {
  const service = shop({ schedules: [nightly(missed)], ...(onClose && { onClose }) });
  const known = service.known.get('nightly-close');
  assert.ok(known);
  const atStart = async () => {
    const [timer] = await service.store.reactions.timersOf('schedule', 'nightly-close', '');
    return timerAtStart(known, timer, service.clock.now());
  };
  const timer = await atStart();
  assert.ok(timer);
  await service.set(timer);
  return { ...service, atStart };
}

test('a schedule sends its command at each occurrence, and each sets the next', async () => {
  const { clock, fireDue, closed } = await scheduled();
  for (let day = 0; day < 3; day++) {
    clock.advance(24 * 60 * minute);
    assert.equal(await fireDue(), ['fired']);
  }
  assert.equal(closed, [
    ['2026-01-01', 0],
    ['2026-01-02', 0],
    ['2026-01-03', 0],
  ]);
});

test('after three days of downtime: once sends 1, skip sends 0, all sends 3; what is missed is reported', async () => {
  for (const [policy, days, reports] of [
    ['once', [['2026-01-03', 2]], 1],
    ['skip', [], 1],
    [
      'all',
      [
        ['2026-01-01', 0],
        ['2026-01-02', 0],
        ['2026-01-03', 0],
      ],
      0,
    ],
  ] as const) {
    const { clock, fireDue, closed, records } = await scheduled(policy);
    clock.advance(3 * 24 * 60 * minute);
    while ((await fireDue()).length > 0);
    assert.equal(closed, days, policy);
    assert.equal(
      records.map((record) => record.constructor.name),
      Array.from({ length: reports }, () => 'ScheduleMissed'),
    );
    clock.advance(24 * 60 * minute);
    assert.equal(await fireDue(), ['fired'], policy);
  }
});

const day = 24 * 60 * minute;

test('an occurrence that is refused is parked by itself, and the next one comes', async () => {
  for (const [policy, parkedDays] of [
    ['once', ['2026-01-03']],
    ['all', ['2026-01-01', '2026-01-03']],
  ] as const) {
    const refused = new Set(['2026-01-01', '2026-01-03']);
    const { clock, fireDue, closed, records, store } = await scheduled(policy, (command) => {
      if (refused.has(command.day)) throw new Problem('access-denied', { status: 409 });
    });
    const outcomes: FiringOutcome[] = [];
    for (let days = 0; days < 4; days++) {
      clock.advance(day);
      outcomes.push(...(await fireDue()));
    }
    assert.equal(outcomes, ['parked', 'fired', 'parked', 'fired'], policy);
    assert.equal(closed, [
      ['2026-01-02', 0],
      ['2026-01-04', 0],
    ]);
    assert.equal(
      records.map((record) => (record instanceof ReactionFailed ? [record.key, record.parked] : record)),
      [
        ['2026-01-01T02:30:00.000Z', true],
        ['2026-01-03T02:30:00.000Z', true],
      ],
    );
    const parked = await store.reactions.parkedTimers([0, 1, 2, 3, 4, 5, 6, 7], ['access-denied'], '0', 10);
    assert.equal(parked.map(({ key }) => key.slice(0, 10)).sort(), parkedDays, policy);
  }
});

test('an occurrence that fails eight times is parked by itself, and the next one comes', async () => {
  let isBroken = true;
  const { clock, fireDue, closed } = await scheduled('once', () => {
    if (isBroken) throw new Error('no connection');
  });
  const outcomes: FiringOutcome[] = [];
  clock.advance(3 * 60 * minute);
  while (!outcomes.includes('parked')) {
    outcomes.push(...(await fireDue()));
    clock.advance(5 * minute);
  }
  assert.equal(outcomes, [...Array.from({ length: 7 }, () => 'retrying'), 'parked']);
  isBroken = false;
  clock.advance(day);
  assert.equal(await fireDue(), ['fired']);
  assert.equal(closed, [['2026-01-02', 0]]);
});

test('a parked occurrence that is run again sends its command, and leaves the next one as it is', async () => {
  let isOpen = true;
  const { clock, fireDue, closed, store, set } = await scheduled('once', () => {
    if (isOpen) throw new Problem('access-denied', { status: 409 });
  });
  clock.advance(3 * day);
  assert.equal(await fireDue(), ['parked']);
  isOpen = false;
  const [parked] = await store.reactions.parkedTimers([0, 1, 2, 3, 4, 5, 6, 7], ['access-denied'], '0', 10);
  assert.ok(parked);
  const { id, kind, name, key, data, context } = parked;
  await set({ id, kind, name, key, data, context, again: 'replace', due: { inMs: 0 } });
  assert.equal(await fireDue(), ['fired']);
  assert.equal(closed, [['2026-01-03', 2]]);
  const [next] = await store.reactions.timersOf('schedule', 'nightly-close', '');
  assert.is(next?.dueAt.slice(0, 10), '2026-01-04');
});

test('at a start the timer of a schedule is left as it is, unless the expression or the rules of its zone changed', async () => {
  const { clock, atStart, set, known } = await scheduled();
  assert.is(await atStart(), undefined);
  clock.advance(24 * 60 * minute);
  assert.is(await atStart(), undefined, 'an overdue one is left to its policy');
  const changed = knownSchedules([{ ...nightly(), cron: '0 4 * * *' }]).get('nightly-close');
  assert.ok(changed && known);
  const timer = timerAtStart(changed, undefined, clock.now());
  assert.ok(timer);
  await set(timer);
  assert.equal((await atStart())?.due, { at: '2026-01-02T02:30:00.000Z' });
});

test('a schedule that cannot be used is refused at the start, on one line', () => {
  const refused = (schedule: Partial<Schedule>, message: RegExp) =>
    assert.throws(() => knownSchedules([{ ...nightly(), ...schedule }]), message);
  refused(
    { cron: '0 0 30 2 *' },
    /^The schedule 'nightly-close' cannot be used: cron '0 0 30 2 \*' never occurs/,
  );
  refused(
    { timeZone: 'Mars/Base' },
    /^The schedule 'nightly-close' cannot be used: timeZone 'Mars\/Base' is not known/,
  );
  refused({ name: 'Nightly' }, /needs a name in kebab-case/);
  refused({ missed: 'never' as 'once' }, /must have 'once', 'skip' or 'all'/);
  assert.throws(() => knownSchedules([nightly(), nightly()]), /is there twice; rename one/);
});

test('an occurrence that was run early is not run again, whatever host starts in between', async () => {
  const { clock, atStart, set, store, fireDue, closed } = await scheduled();
  const runNow = async () => {
    const [timer] = await store.reactions.timersOf('schedule', 'nightly-close', '');
    assert.ok(timer);
    const { id, kind, name, key, data, context } = timer;
    await set({ id, kind, name, key, data, context, again: 'replace', due: { inMs: 0 } });
    assert.equal(await fireDue(), ['fired']);
  };
  await runNow();
  assert.is(await atStart(), undefined);
  await runNow();
  assert.is(await atStart(), undefined);
  clock.advance(3 * 24 * 60 * minute);
  assert.equal(await fireDue(), ['fired']);
  assert.equal(closed, [
    ['2026-01-01', 0],
    ['2026-01-02', 0],
    ['2026-01-03', 0],
  ]);
});
