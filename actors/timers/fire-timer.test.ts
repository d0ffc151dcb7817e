import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Command, Event } from '../../contracts/message.js';
import { ReactionFailed } from '../../contracts/events/error.js';
import { Problem } from '../../contracts/problems.js';
import type { TimerOptions } from '../../contracts/reaction.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import type { Schedule } from '../../contracts/schedule.js';
import type { SetTimer } from '../../contracts/unit-lists.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { StagedLists } from '../../runtime/staged-lists.js';
import { systemEnvelope } from '../../runtime/system-envelope.js';
import { collect } from '../../runtime/testing/collect.js';
import { fakeClock } from '../../runtime/testing/fake-clock.js';
import { InMemoryEventStore } from '../../runtime/testing/in-memory-event-store.js';
import { LocalDispatcher } from '../commands/dispatcher.js';
import { commandTimer } from '../../runtime/timers/command-timer.js';
import { fireCommand } from './fire-command.js';
import { fireSchedule, knownSchedules, parkOccurrence, timerAtStart } from './fire-schedule.js';
import { type FiringOutcome, fireTimer } from './fire-timer.js';

class Remind extends Command {
  declare orderId: string;
}
class SetReminder extends Command {
  declare options: TimerOptions;
}
class Whisper extends Command {
  declare customerId: string;
  declare secret: string | null;
}
class CloseBooks extends Command {
  declare day: string;
  declare missed: number;
}
class Reminded extends Event {
  declare depth: number | undefined;
}

const test = suite('firing timers');

const order = newUuid();
const start = '2026-01-01T00:00:00.000Z';
const minute = 60_000;

interface ShopOptions {
  readonly onRemind?: (work: UnitOfWork) => void | Promise<void>;
  readonly onWhisper?: (command: Whisper) => void;
  readonly onClose?: (command: CloseBooks) => void;
  readonly schedules?: readonly Schedule[];
}

/** A service with timers; its clock stands still. */
function shop({ onRemind, onWhisper = () => undefined, onClose, schedules = [] }: ShopOptions = {}) {
  const clock = fakeClock(start);
  const store = new InMemoryEventStore({
    now: clock.now,
    sealed: [{ type: Whisper, fields: [{ path: ['secret'], subject: 'customerId', subjectIn: 'object' }] }],
  });
  const dispatcher = new LocalDispatcher({ store });
  const closed: unknown[] = [];
  const registrations = [
    {
      command: Remind,
      receptor: {
        handle: async (_: Remind, __: AbortSignal, work: UnitOfWork) => {
          await onRemind?.(work);
          work.append(order, new Reminded(), { expectedPosition: 'any' });
        },
      },
    },
    {
      command: SetReminder,
      receptor: {
        handle: ({ options }: SetReminder, _: AbortSignal, work: UnitOfWork) =>
          work.schedule(Remind.of({ orderId: order }), options),
      },
    },
    { command: Whisper, receptor: { handle: (command: Whisper) => onWhisper(command) } },
    {
      command: CloseBooks,
      receptor: {
        handle: (command: CloseBooks) => {
          onClose?.(command);
          closed.push([command.day, command.missed]);
        },
      },
    },
  ] as const;
  dispatcher.register(registrations);
  const known = knownSchedules(schedules);
  const records: SystemMessage[] = [];
  const recordOf = (event: SystemMessage): StagedRecord => {
    records.push(event);
    return { envelope: systemEnvelope(event, {}), publish: false };
  };
  const ports = {
    dispatcher,
    store,
    fire: {
      command: fireCommand((name) => dispatcher.commandNamed(name)),
      schedule: fireSchedule(known, recordOf),
      process: () => Promise.reject(new Error('there is no process')),
    },
    parksApart: parkOccurrence(known, recordOf),
    recordOf,
    reactions: store.reactions,
    deadlineMs: 1_000,
    hidesErrors: (_: unknown, types: readonly string[]) => types.includes('Whisper'),
  };
  const due = async () => (await store.reactions.dueTimers([0, 1, 2, 3, 4, 5, 6, 7], 10)).due;
  const set = (...timers: SetTimer[]) => {
    const lists = new StagedLists();
    for (const timer of timers) lists.set(timer);
    return store.commit({ events: [], records: [], expected: new Map(), lists });
  };
  return {
    ...{ clock, store, dispatcher, records, closed, due, set, known, ports },
    remind: (options: TimerOptions) => dispatcher.localInvoke(SetReminder.of({ options })),
    /** Fires what is due, as one host does. */
    fireDue: async (): Promise<readonly FiringOutcome[]> => {
      const outcomes: FiringOutcome[] = [];
      for (const timer of await due()) outcomes.push(await fireTimer(timer, ports));
      return outcomes;
    },
    fire: (timer: Awaited<ReturnType<typeof due>>[number]) => fireTimer(timer, ports),
    events: () => collect(store.read(order)),
  };
}

test('a timer sends its command once, when it is due', async () => {
  const { clock, remind, fireDue, events } = shop();
  await remind({ in: 'PT15M' });
  assert.equal(await fireDue(), []);
  clock.advance(15 * minute);
  assert.equal(await fireDue(), ['fired']);
  assert.equal(await fireDue(), []);
  assert.is((await events()).length, 1);
});

test('two hosts that fire one timer have one effect', async () => {
  const { clock, remind, due, fire, events } = shop();
  await remind({ in: 'PT1M' });
  clock.advance(minute);
  const [timer] = await due();
  assert.ok(timer);
  assert.equal(await Promise.all([fire(timer), fire(timer)]), ['fired', 'gone']);
  assert.is((await events()).length, 1);
});

test('a timer that is cancelled or replaced after it was read does not fire', async () => {
  const { clock, remind, dispatcher, store, due, fire, events } = shop();
  await remind({ in: 'PT1M', name: 'reminder', key: order });
  clock.advance(minute);
  const [timer] = await due();
  assert.ok(timer);
  await remind({ in: 'PT5M', name: 'reminder', key: order });
  assert.is(await fire(timer), 'gone');
  assert.is((await events()).length, 0);
  assert.is((await store.reactions.timersOf('command', 'reminder', order)).length, 1);
  assert.ok(dispatcher);
});

test('the command belongs to what set the timer, and has the same id in every try', async () => {
  const contexts: unknown[] = [];
  let fails = true;
  const { clock, remind, fireDue } = shop({
    onRemind: ({ context: { messageId, correlationId, causationId, transport, scope, metadata } }) => {
      contexts.push({
        messageId,
        correlationId,
        causationId,
        transport,
        scope,
        by: metadata['by'],
        due: metadata['due'],
      });
      if (fails) throw new Error('not now');
    },
  });
  await remind({ in: 'PT1M', name: 'reminder', key: order });
  clock.advance(minute);
  assert.equal(await fireDue(), ['retrying']);
  fails = false;
  clock.advance(10_000);
  assert.equal(await fireDue(), ['fired']);
  assert.equal(contexts[0], contexts[1]);
  const [{ transport, by, due: dueAt }] = contexts as [{ transport: string; by: string; due: string }];
  assert.equal([transport, by], ['timer', 'reminder']);
  assert.is(Date.parse(dueAt), clock.now() - 10_000);
});

test('a timer that fails waits longer each time and is parked after eight tries, and each try is reported', async () => {
  const { clock, remind, fireDue, records, store } = shop({
    onRemind: () => {
      throw new Error('broken\0');
    },
  });
  await remind({ in: 'PT1M', name: 'reminder', key: order });
  clock.advance(minute);
  const waits: number[] = [];
  const outcomes: FiringOutcome[] = [];
  for (let tries = 0; tries < 8; tries++) {
    outcomes.push(...(await fireDue()));
    const [timer] = await store.reactions.timersOf('command', 'reminder', order);
    waits.push(-(timer?.lateMs ?? 0));
    clock.advance(5 * minute);
  }
  assert.equal(outcomes, [...Array.from({ length: 7 }, () => 'retrying' as const), 'parked']);
  assert.equal(waits, [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 0]);
  assert.equal(await fireDue(), []);
  const [timer] = await store.reactions.timersOf('command', 'reminder', order);
  assert.equal([timer?.parked, timer?.error, timer?.attempts], [true, 'Error: broken', 8]);
  assert.equal(
    records.map((record) => (record as unknown as { attempt: number; parked: boolean }).attempt),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
});

test('an error about a sensitive command is hidden where it is stored and reported', async () => {
  const { clock, remind, due, records, ports, store } = shop({
    onRemind: () => {
      throw new Error('4242 4242 4242 4242 was declined');
    },
  });
  await remind({ in: 'PT1M', name: 'reminder', key: order });
  clock.advance(minute);
  const [timer] = await due();
  const sent: (readonly string[])[] = [];
  const hidesErrors = (_: unknown, types: readonly string[]): boolean => sent.push(types) > 0;
  assert.is(timer && (await fireTimer(timer, { ...ports, hidesErrors })), 'retrying');
  assert.equal(sent, [['Remind']]);
  const [again] = await store.reactions.timersOf('command', 'reminder', order);
  assert.match(again?.error ?? '', /^Error: \[redacted\] \(32 characters\)/);
  assert.not.match(JSON.stringify(records), '4242');
  assert.match(JSON.stringify(records), '[redacted]');
});

test('what a timer stores is passed to the hooks of system events', async () => {
  const { clock, remind, due, ports } = shop({
    onRemind: () => {
      throw new Error('broken');
    },
  });
  await remind({ in: 'PT1M' });
  clock.advance(minute);
  const [timer] = await due();
  const stored: string[] = [];
  const committed = (all: readonly StagedRecord[]): void =>
    void stored.push(...all.map(({ envelope }) => envelope.messageType));
  if (timer !== undefined) await fireTimer(timer, { ...ports, committed });
  assert.equal(stored, ['ReactionFailed']);
});

test('a command that is refused parks its timer at once', async () => {
  const { clock, remind, fireDue } = shop({
    onRemind: () => {
      throw new Problem('order-closed', { status: 409, detail: 'The order is closed.' });
    },
  });
  await remind({ in: 'PT1M' });
  clock.advance(minute);
  assert.equal(await fireDue(), ['parked']);
});

const whisper = Whisper.of({ customerId: 'ada', secret: 'the cake' });
const whispered = (inMs: number) =>
  commandTimer(whisper, { in: `PT${inMs / 1_000}S`, name: 'whisper' }, cause);
const cause = { causationId: newUuid(), correlationId: newUuid() };

test('a timer holds the values of subjects encrypted, also after it failed, and its receptor sees them', async () => {
  const seen: unknown[] = [];
  const { clock, set, store, fireDue } = shop({
    onWhisper: (command) => {
      seen.push(structuredClone(command));
      if (seen.length === 1) throw new Error('not now');
    },
  });
  await set(whispered(minute));
  const stored = async () => JSON.stringify(await store.reactions.timersOf('command', 'whisper', ''));
  assert.match(await stored(), /svc:sealed:1:/);
  clock.advance(minute);
  const before = await stored();
  assert.equal(await fireDue(), ['retrying']);
  const data = (text: string) => (JSON.parse(text) as [{ data: unknown }])[0].data;
  assert.equal(data(await stored()), data(before));
  clock.advance(10_000);
  assert.equal(await fireDue(), ['fired']);
  assert.equal(seen, [structuredClone(whisper), structuredClone(whisper)]);
  assert.not.match(before, /cake/);
});

test('a value whose subject was forgotten before the timer fired is null', async () => {
  const seen: unknown[] = [];
  const { clock, set, store, fireDue } = shop({ onWhisper: ({ secret }) => void seen.push(secret) });
  await set(whispered(minute));
  store.forget('ada');
  clock.advance(minute);
  assert.equal(await fireDue(), ['fired']);
  assert.equal(seen, [null]);
});

test('what a receptor of sensitive values throws is hidden in the row and in the report', async () => {
  for (const error of [new Error('no cake'), new Problem('no-cake', { status: 409, detail: 'no cake' })]) {
    const { clock, set, store, fireDue, records } = shop({
      onWhisper: () => {
        throw error;
      },
    });
    await set(whispered(minute));
    clock.advance(minute);
    assert.match((await fireDue()).join(), /retrying|parked/);
    const [timer] = await store.reactions.timersOf('command', 'whisper', '');
    assert.match(timer?.error ?? '', /^(Error|no-cake): \[redacted\] \(7 characters\)/);
    assert.not.match(JSON.stringify([timer, records]), /no cake/);
  }
});

test('an overloaded host is no failure of the timer', async () => {
  const { clock, remind, fireDue, due } = shop({
    onRemind: () => {
      throw new Problem('overloaded');
    },
  });
  await remind({ in: 'PT1M' });
  clock.advance(minute);
  assert.equal(await fireDue(), ['later']);
  assert.is((await due())[0]?.attempts, 0);
});

test('a stream that moved on is read again', async () => {
  let moves = 3;
  const { clock, store, remind, fireDue, events } = shop({
    onRemind: async (work) => {
      await collect(work.read(order));
      work.append(order, new Reminded());
      if (moves-- > 0)
        await store.append(order, {
          messageId: newUuid(),
          messageType: 'Other',
          payload: {},
          timestamp: start,
          v: 1,
        });
    },
  });
  await remind({ in: 'PT1M' });
  clock.advance(minute);
  assert.equal(await fireDue(), ['fired']);
  assert.is((await events()).filter(({ messageType }) => messageType === 'Reminded').length, 2);
});

test('a timer that is later than it may be is dropped and reported', async () => {
  const { clock, remind, fireDue, records, events } = shop();
  await remind({ in: 'PT1M', expires: 'PT1H' });
  clock.advance(minute + 60 * minute + 1);
  assert.equal(await fireDue(), ['dropped']);
  assert.is((await events()).length, 0);
  assert.equal(
    records.map((record) => record.constructor.name),
    ['TimersMissed'],
  );
});

test('timers that set each other without a pause are stopped; with a pause they go on', async () => {
  for (const [pause, rounds, last] of [
    ['PT0S', 40, 'parked'],
    ['PT1S', 40, 'fired'],
  ] as const) {
    const { clock, remind, fireDue } = shop({
      onRemind: (work) => work.schedule(Remind.of({ orderId: order }), { in: pause }),
    });
    await remind({ in: pause });
    const outcomes: FiringOutcome[] = [];
    for (let round = 0; round < rounds && outcomes.at(-1) !== 'parked'; round++) {
      clock.advance(1_000);
      outcomes.push(...(await fireDue()));
    }
    assert.is(outcomes.at(-1), last, pause);
    assert.is(outcomes.length, last === 'parked' ? 33 : 40);
  }
});

test('a timer whose command has no receptor any more is parked and says so', async () => {
  const { clock, set, fireDue, store } = shop();
  await set({
    ...{ id: newUuid(), kind: 'command', name: 'gone', key: '', again: 'replace' },
    ...{ due: { inMs: 0 }, data: { type: 'Renamed', body: {} }, context: {} },
  });
  clock.advance(1);
  assert.equal(await fireDue(), ['parked']);
  const [timer] = await store.reactions.timersOf('command', 'gone', '');
  assert.match(timer?.error ?? '', /No receptor handles Renamed/);
});

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
    const parked = await store.reactions.parkedTimers([0, 1, 2, 3, 4, 5, 6, 7], ['access-denied'], 10);
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

test('a parked occurrence that is run again sends what it stands for, and leaves the next one as it is', async () => {
  let isOpen = true;
  const { clock, fireDue, closed, store, set } = await scheduled('once', () => {
    if (isOpen) throw new Problem('access-denied', { status: 409 });
  });
  clock.advance(3 * day);
  assert.equal(await fireDue(), ['parked']);
  isOpen = false;
  const [parked] = await store.reactions.parkedTimers([0, 1, 2, 3, 4, 5, 6, 7], ['access-denied'], 10);
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

test.run();
