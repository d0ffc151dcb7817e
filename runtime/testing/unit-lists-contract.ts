import assert from 'node:assert/strict';
import { Problem } from '../../contracts/problems.js';
import {
  partitions,
  type Progress,
  type ReactionStore,
  type StoredTimer,
} from '../../contracts/reaction-store.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type {
  AsideStep,
  HeldCursor,
  ProcessStep,
  ReservationStep,
  SetTimer,
  UnitLists,
} from '../../contracts/unit-lists.js';
import type { StagedEvent, Unit, UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { microsOf } from '../store/micros.js';
import { collect } from './collect.js';
import { contractRules, type RunnerTest, type WithSubject } from './contract-rules.js';
import { untilPasses } from './until.js';

export interface StoreWithLists {
  readonly store: UnitStore;
  readonly reactions: ReactionStore;
}

/** The contract of the lists of a unit, whatever the storage; each rule gets a new, empty store. */
export function unitListsContract(test: RunnerTest, withStore: WithSubject<StoreWithLists>): void {
  const rule = contractRules(test, withStore);
  cursorRules(rule);
  asideRules(rule);
  timerRules(rule);
  reservationRules(rule);
  processRules(rule);
  unitRules(rule);
}

type Rule = ReturnType<typeof contractRules<StoreWithLists>>;

function cursorRules(rule: Rule): void {
  rule('a new cursor starts at the head of the log or at its beginning', async ({ store, reactions }) => {
    await store.commit(unit({ events: [event(), event()] }));
    assert.deepEqual(placeOf(await reactions.takeCursor('a', 'head')), { position: 2, done: [] });
    assert.deepEqual(placeOf(await reactions.takeCursor('b', 'beginning')), { position: 0, done: [] });
  });

  rule('a cursor that is taken again keeps its progress and gets a new epoch', async (subject) => {
    const cursor = await hold(subject);
    await answers(subject, [handles(cursor, 3)]);
    const taken = await subject.reactions.takeCursor('line', 'head');
    assert.deepEqual(placeOf(taken), { position: 0, done: [3] });
    assert.notEqual(taken.epoch, cursor.epoch);
  });

  rule(
    'a newer version of the application tries parked keys again, the same one does not',
    async (subject) => {
      const { reactions } = subject;
      const parked = async (version: string): Promise<string> => {
        const { epoch } = await reactions.takeCursor('line', 'head', version);
        const [row] = await reactions.asideKeys('line');
        if (row?.state === 'parked') return 'parked';
        const cursor = heldCursor('line', epoch);
        const { from, next } = { from: row?.position ?? 0, next: 1 };
        const again = { cursor, key: 'tea', from, next, ...waits, state: 'parked' } as const;
        await answers(subject, [unit({ lists: { aside: [again] } })]);
        return row === undefined ? 'new' : `${row.state} ${row.attempts}`;
      };
      const found: string[] = [];
      for (const version of ['1.0.0', '1.0.0', '0.9.0', '1.0.0', '1.0.1', '1.0.1', 'x'])
        found.push(await parked(version));
      const released = 'retrying 0';
      assert.deepEqual(found, ['new', 'parked', 'parked', released, released, 'parked', 'parked']);
    },
  );

  rule('an event is handled once', async (subject) => {
    const cursor = await hold(subject);
    assert.deepEqual(await answers(subject, [handles(cursor, 3)]), ['stored']);
    assert.deepEqual(await answers(subject, [handles(cursor, 3)]), ['overtaken']);
    assert.deepEqual(await answers(subject, [handles(cursor, 2)]), ['stored']);
  });

  rule('everything up to the settled position counts as handled', async (subject) => {
    const cursor = await hold(subject);
    await answers(subject, [handles(cursor, 1), handles(cursor, 2), handles(cursor, 5)]);
    cursor.settled = 4;
    assert.deepEqual(await answers(subject, [handles(cursor, 6)]), ['stored']);
    assert.deepEqual(await answers(subject, [handles(cursor, 4)]), ['overtaken']);
    assert.deepEqual(placeOf(await subject.reactions.takeCursor('line', 'head')), {
      position: 4,
      done: [5, 6],
    });
  });

  rule('the settled position never goes back', async (subject) => {
    const cursor = await hold(subject);
    cursor.settled = 7;
    await answers(subject, [handles(cursor, 8)]);
    cursor.settled = 3;
    await answers(subject, [handles(cursor, 9)]);
    assert.equal((await subject.reactions.takeCursor('line', 'head')).position, 7);
  });

  rule('who holds an older epoch can neither handle nor settle', async (subject) => {
    const earlier = await hold(subject);
    const later = await hold(subject);
    earlier.settled = 100;
    assert.deepEqual(await answers(subject, [handles(earlier, 101), handles(later, 5)]), [
      'overtaken',
      'stored',
    ]);
    assert.deepEqual(placeOf(await subject.reactions.takeCursor('line', 'head')), {
      position: 0,
      done: [5],
    });
  });

  rule('a cursor that nobody has taken cannot handle', async (subject) => {
    const unknown = heldCursor('unknown', 0);
    assert.deepEqual(await answers(subject, [handles(unknown, 1)]), ['overtaken']);
  });

  rule('of two units of one flush that handle the same event, the first is stored', async (subject) => {
    const cursor = await hold(subject);
    assert.deepEqual(await answers(subject, [handles(cursor, 3), handles(cursor, 3), handles(cursor, 4)]), [
      'stored',
      'overtaken',
      'stored',
    ]);
  });

  rule('a cursor survives more settled events out of order than a runner keeps', async (subject) => {
    const cursor = await hold(subject);
    const positions = Array.from({ length: 300 }, (_, n) => 2 * n + 2);
    await answers(
      subject,
      positions.map((position) => handles(cursor, position)),
    );
    assert.deepEqual((await subject.reactions.takeCursor('line', 'head')).done, positions);
  });
}

function asideRules(rule: Rule): void {
  rule('the events of a key that is aside are not handled in line', async (subject) => {
    const cursor = await hold(subject);
    await answers(subject, [setsAside(cursor, 3, 'a')]);
    assert.deepEqual(await answers(subject, [handles(cursor, 4, 'a'), handles(cursor, 5, 'b')]), [
      'overtaken',
      'stored',
    ]);
    assert.deepEqual((await subject.reactions.takeCursor('line', 'head')).done, [3, 5]);
  });

  rule('a key that is aside says where it stands, how often it failed and why', async (subject) => {
    const cursor = await hold(subject);
    const wait = { attempts: 2, retryInMs: 3_600_000, error: 'no\0stock' };
    await answers(subject, [setsAside(cursor, 3, 'a', wait), setsAside(cursor, 1, 'b')]);
    const [first, second] = await subject.reactions.asideKeys('line');
    assert.deepEqual(first, { ...waits, key: 'b', position: 1 });
    assert.ok(second !== undefined && second.retryInMs > 3_000_000 && second.retryInMs <= 3_600_000);
    assert.deepEqual(
      { ...second, retryInMs: 0 },
      { ...waits, key: 'a', position: 3, attempts: 2, error: 'no\ufffdstock' },
    );
    assert.deepEqual(await subject.reactions.asideKeys('other'), []);
  });

  rule('a key goes on from where it stands, and from nowhere else', async (subject) => {
    const cursor = await hold(subject);
    await answers(subject, [setsAside(cursor, 3, 'a')]);
    assert.deepEqual(await answers(subject, [goesOn(cursor, 'a', 4, 7)]), ['overtaken']);
    assert.deepEqual(await answers(subject, [goesOn(cursor, 'b', 3, 7)]), ['overtaken']);
    assert.deepEqual(await answers(subject, [goesOn(cursor, 'a', 3, 7)]), ['stored']);
    assert.deepEqual(await answers(subject, [goesOn(cursor, 'a', 3, 7)]), ['overtaken']);
    assert.deepEqual(await answers(subject, [setsAside(cursor, 9, 'a')]), ['overtaken']);
    assert.deepEqual(await subject.reactions.asideKeys('line'), [{ ...waits, key: 'a', position: 7 }]);
  });

  rule('what a key settles aside is settled for its cursor', async (subject) => {
    const cursor = await hold(subject);
    await answers(subject, [setsAside(cursor, 3, 'a')]);
    await answers(subject, [goesOn(cursor, 'a', 3, 7)]);
    await answers(subject, [goesOn(cursor, 'a', 7, 0)]);
    assert.deepEqual(await answers(subject, [handles(cursor, 7, 'a')]), ['overtaken']);
    assert.deepEqual((await subject.reactions.takeCursor('line', 'head')).done, [3, 7]);
  });

  rule('a key that failed again stays where it is, and has settled nothing', async (subject) => {
    const cursor = await hold(subject);
    await answers(subject, [setsAside(cursor, 3, 'a')]);
    await answers(subject, [goesOn(cursor, 'a', 3, 7)]);
    await answers(subject, [aside({ cursor, key: 'a', from: 7, next: 7, state: 'parked', attempts: 8 })]);
    assert.deepEqual(await subject.reactions.asideKeys('line'), [
      { ...waits, key: 'a', position: 7, state: 'parked', attempts: 8 },
    ]);
    assert.deepEqual((await subject.reactions.takeCursor('line', 'head')).done, [3]);
  });

  rule('a key that went back is handled in line again', async (subject) => {
    const cursor = await hold(subject);
    await answers(subject, [setsAside(cursor, 3, 'a')]);
    await answers(subject, [goesOn(cursor, 'a', 3, 0)]);
    assert.deepEqual(await subject.reactions.asideKeys('line'), []);
    assert.deepEqual(await answers(subject, [handles(cursor, 4, 'a')]), ['stored']);
  });

  rule('who holds an older epoch cannot move a key', async (subject) => {
    const earlier = await hold(subject);
    await answers(subject, [setsAside(earlier, 3, 'a')]);
    await hold(subject);
    assert.deepEqual(await answers(subject, [goesOn(earlier, 'a', 3, 0)]), ['overtaken']);
  });

  rule('set aside, gone on and back in line in one flush', async (subject) => {
    const cursor = await hold(subject);
    assert.deepEqual(
      await answers(subject, [
        handles(cursor, 1, 'a'),
        setsAside(cursor, 3, 'a'),
        handles(cursor, 4, 'a'),
        goesOn(cursor, 'a', 3, 4),
        goesOn(cursor, 'a', 3, 5),
        goesOn(cursor, 'a', 4, 0),
        handles(cursor, 5, 'a'),
      ]),
      ['stored', 'stored', 'overtaken', 'stored', 'overtaken', 'stored', 'stored'],
    );
    assert.deepEqual((await subject.reactions.takeCursor('line', 'head')).done, [1, 3, 4, 5]);
  });
}

function timerRules(rule: Rule): void {
  rule('timers are due when their time has come, the earliest first', async (subject) => {
    const early = timer({ key: 'k', name: 'early', due: { at: '2026-01-01T00:00:00Z' } });
    const late = timer({ key: 'k', name: 'late', due: { inMs: 0 } });
    const never = timer({ key: 'k', name: 'never', due: { inMs: 3_600_000 } });
    for (const set of [early, never, late]) await answers(subject, [sets(set)]);
    const { due, nextInMs } = await dueOf(subject, 'k');
    assert.deepEqual(
      due.map(({ name }) => name),
      ['early', 'late'],
    );
    assert.ok(due.every(({ lateMs, setAt, dueAt }) => lateMs >= 0 && setAt === dueAt));
    assert.ok(nextInMs !== null && nextInMs > 3_000_000 && nextInMs <= 3_600_000);
    assert.deepEqual(
      (await dueOf(subject, 'k', 1)).due.map(({ name }) => name),
      ['early'],
    );
  });

  rule('a timer keeps what it was set with', async (subject) => {
    const set = timer({
      ...{ kind: 'process', name: 'fulfilment', key: 'o-1', attempts: 3, expiresMs: 60_000 },
      ...{ error: 'busy', data: { type: 'after', list: [1, 'ü', null] }, context: { tenant: 't' } },
    });
    await answers(subject, [sets(set)]);
    const [stored] = await subject.reactions.timersOf('process', 'fulfilment', 'o-1');
    const { dueAt: _due, setAt: _set, lateMs: _late, ...kept } = stored ?? fail();
    const { due: _in, again: _again, ...given } = set;
    assert.deepEqual(kept, { ...given, parked: false });
    assert.deepEqual(await subject.reactions.timersOf('command', 'fulfilment', 'o-1'), []);
    assert.deepEqual(await subject.reactions.timersOf('process', 'fulfilment', 'o-2'), []);
  });

  rule('a due time lies neither before the commit nor more than ten years after it', async (subject) => {
    const [past, far] = [timer({ due: { at: '1999-01-01T00:00:00Z' } }), timer({ due: { inMs: 1e18 } })];
    const distant = timer({ due: { at: '9999-01-01T00:00:00.123456Z' } });
    await answers(subject, [sets(past), sets(far), sets(distant)]);
    const aheadOf = async ({ name, key }: SetTimer) => {
      const { dueAt, setAt } = (await subject.reactions.timersOf('command', name, key))[0] ?? fail();
      return Number(microsOf(dueAt) - microsOf(setAt)) / 86_400_000_000;
    };
    assert.deepEqual(await Promise.all([past, far, distant].map(aheadOf)), [0, 3653, 3653]);
  });

  rule('a parked timer is not due', async (subject) => {
    await answers(subject, [sets(timer({ key: 'k', parked: true, error: 'refused' }))]);
    assert.deepEqual(await dueOf(subject, 'k'), { due: [], nextInMs: null });
  });

  rule('a timer that is set again is replaced, or kept', async (subject) => {
    const [first, id] = [timer({ due: { inMs: 3_600_000 } }), newUuid()];
    await answers(subject, [sets({ ...first, id, data: 1 })]);
    await answers(subject, [sets({ ...first, id, data: 2, again: 'keep' })]);
    assert.deepEqual((await subject.reactions.timersOf('command', first.name, first.key))[0]?.data, 1);
    await answers(subject, [sets({ ...first, id, data: 3 })]);
    const timers = await subject.reactions.timersOf('command', first.name, first.key);
    assert.deepEqual(
      timers.map(({ data }) => data),
      [3],
    );
  });

  rule('a timer fires once, at the due time that it still has', async (subject) => {
    const set = timer({ due: { at: '2030-01-01T00:00:00.123456Z' } });
    await answers(subject, [sets(set)]);
    const fires = (firedAt: string) => unit({ lists: { ended: [{ id: set.id, firedAt }] } });
    assert.deepEqual(await answers(subject, [fires('2030-01-01T00:00:00.123457Z')]), ['timer-gone']);
    assert.deepEqual(await answers(subject, [fires('2030-01-01T00:00:00.123Z')]), ['timer-gone']);
    assert.deepEqual(await answers(subject, [fires('2030-01-01T00:00:00.123456Z')]), ['stored']);
    assert.deepEqual(await answers(subject, [fires('2030-01-01T00:00:00.123456Z')]), ['timer-gone']);
  });

  rule('the stored due time of a timer is the one that it fires at', async (subject) => {
    const set = timer({ key: 'k' });
    await answers(subject, [sets(set)]);
    const [due] = (await dueOf(subject, 'k')).due;
    assert.deepEqual(await answers(subject, [fires(due ?? fail())]), ['stored']);
    assert.deepEqual((await dueOf(subject, 'k')).due, []);
  });

  rule('a timer that was cancelled or replaced does not fire', async (subject) => {
    const [one, other] = [timer({ key: 'one' }), timer({ key: 'other' })];
    await answers(subject, [sets(one), sets(other)]);
    const stored = await Promise.all([one, other].map((set) => only(subject, set)));
    await answers(subject, [ends(one.id), sets({ ...other, due: { inMs: 3_600_000 } })]);
    assert.deepEqual(await answers(subject, stored.map(fires)), ['timer-gone', 'timer-gone']);
  });

  rule('a timer that is not there can be cancelled', async (subject) => {
    assert.deepEqual(await answers(subject, [ends(newUuid())]), ['stored']);
  });

  rule('one unit ends a timer and sets it again', async (subject) => {
    const set = timer();
    await answers(subject, [sets(set)]);
    const before = await only(subject, set);
    const again = unit({
      lists: {
        ended: [{ id: set.id, firedAt: before.dueAt }],
        timers: [{ ...set, again: 'keep', attempts: 1, due: { inMs: 3_600_000 } }],
      },
    });
    assert.deepEqual(await answers(subject, [again]), ['stored']);
    assert.equal((await only(subject, set)).attempts, 1);
  });

  rule('set, cancelled, set and replaced in one flush', async (subject) => {
    const set = timer();
    const units = [
      sets({ ...set, data: 1 }),
      ends(set.id),
      sets({ ...set, data: 2, again: 'keep' }),
      sets({ ...set, data: 3, again: 'keep' }),
    ];
    assert.deepEqual(await answers(subject, units), ['stored', 'stored', 'stored', 'stored']);
    assert.equal((await only(subject, set)).data, 2);
    assert.deepEqual(
      await answers(subject, [ends(set.id), fires(await only(subject, set)), sets({ ...set, data: 4 })]),
      ['stored', 'timer-gone', 'stored'],
    );
    assert.equal((await only(subject, set)).data, 4);
  });

  rule('parked timers are found by their problem, or by the version that parked them', async (subject) => {
    const parts = Array.from({ length: partitions }, (_, part) => part);
    await answers(subject, [
      sets(timer({ key: 'a', parked: true, error: 'process-version: it is another' })),
      sets(timer({ key: 'b', parked: true, error: 'out-of-stock: there is none' })),
      sets(timer({ key: 'c', error: 'process-version: it is tried again' })),
      sets(timer({ key: 'd', parked: true, error: 'broken', context: { parkedBy: '1.0.0' } })),
      sets(timer({ key: 'e', parked: true, error: 'broken', context: { parkedBy: '2.0.0' } })),
    ]);
    const codes = ['process-version', 'timer-unknown'] as const;
    const found = await subject.reactions.parkedTimers(parts, codes, '2.0.0', 10);
    assert.deepEqual(found.map(({ key }) => key).sort(), ['a', 'd']);
    assert.deepEqual(await subject.reactions.parkedTimers([], codes, '2.0.0', 10), []);
  });

  rule('due timers are read without those of some names', async (subject) => {
    const due = { at: '2026-01-01T00:00:00Z' };
    await answers(
      subject,
      ['sick', 'well', 'sick'].map((name) => sets(timer({ name, due }))),
    );
    const parts = Array.from({ length: partitions }, (_, part) => part);
    const namesOf = async (limit: number, except?: readonly string[]) =>
      (await subject.reactions.dueTimers(parts, limit, except)).due.map(({ name }) => name).sort();
    assert.deepEqual(await namesOf(10), ['sick', 'sick', 'well']);
    assert.deepEqual(await namesOf(1, ['sick', 'unknown']), ['well']);
    assert.deepEqual(await namesOf(10, ['sick', 'well']), []);
  });

  rule('every timer is in exactly one partition', async (subject) => {
    const keys = Array.from({ length: 20 }, (_, n) => `key-${n}`);
    await answers(
      subject,
      [...keys, '', ''].map((key) => sets(timer({ key, due: { at: '2026-01-01T00:00:00Z' } }))),
    );
    const parts = Array.from({ length: partitions }, (_, part) => subject.reactions.dueTimers([part], 100));
    const due = (await Promise.all(parts)).flatMap((found) => found.due.map(({ key }) => key));
    assert.deepEqual(due.sort(), [...keys, '', ''].sort());
  });
}

function reservationRules(rule: Rule): void {
  rule('a name is reserved by one owner', async (subject) => {
    const key = newUuid();
    assert.deepEqual(await answers(subject, [takes(key, 'ada')]), ['stored']);
    assert.deepEqual(await answers(subject, [takes(key, 'bob')]), ['already-reserved']);
    assert.deepEqual(await answers(subject, [takes(key, 'ada')]), ['stored']);
    assert.deepEqual(await answers(subject, [takes(newUuid(), 'bob')]), ['stored']);
  });

  rule('only its owner gives a name back', async (subject) => {
    const key = newUuid();
    await answers(subject, [takes(key, 'ada')]);
    assert.deepEqual(await answers(subject, [gives(key, 'bob')]), ['stored']);
    assert.deepEqual(await answers(subject, [takes(key, 'bob')]), ['already-reserved']);
    assert.deepEqual(await answers(subject, [gives(key, 'ada')]), ['stored']);
    assert.deepEqual(await answers(subject, [takes(key, 'bob')]), ['stored']);
  });

  rule('a hold ends by itself', async (subject) => {
    const key = newUuid();
    await answers(subject, [takes(key, 'ada', 1)]);
    await untilPasses(async () =>
      assert.deepEqual(await answers(subject, [takes(key, 'bob', 3_600_000)]), ['stored']),
    );
    assert.deepEqual(await answers(subject, [takes(key, 'ada')]), ['already-reserved']);
    assert.deepEqual(await answers(subject, [takes(key, 'bob')]), ['stored']);
  });

  rule('of many that take a name at once, one gets it', async (subject) => {
    const key = newUuid();
    const units = Array.from({ length: 20 }, (_, n) => takes(key, `owner-${n}`));
    const codes = await answers(subject, units);
    assert.deepEqual(codes, ['stored', ...Array.from({ length: 19 }, () => 'already-reserved')]);
  });

  rule('released and taken in one flush', async (subject) => {
    const key = newUuid();
    await answers(subject, [takes(key, 'ada')]);
    assert.deepEqual(
      await answers(subject, [takes(key, 'bob'), gives(key, 'ada'), takes(key, 'bob'), takes(key, 'eve')]),
      ['already-reserved', 'stored', 'stored', 'already-reserved'],
    );
  });

  rule('who would take a name can ask whether another owner has it', async (subject) => {
    const { reactions } = subject;
    const key = newUuid();
    const isTaken = (owner: string | null, released: string | null = null) =>
      reactions.isReserved([
        { key: newUuid(), owner: 'eve', released: null },
        { key, owner, released },
      ]);
    assert.equal(await isTaken('bob'), false);
    await answers(subject, [takes(key, 'ada')]);
    assert.deepEqual(
      await Promise.all([isTaken('ada'), isTaken('bob'), isTaken('bob', 'ada'), isTaken(null, 'bob')]),
      [false, true, false, false],
    );
    await answers(subject, [gives(key, 'ada'), takes(key, 'ada', 1)]);
    await untilPasses(async () => assert.equal(await isTaken('bob'), false));
  });

  rule('one unit hands a name on', async (subject) => {
    const key = newUuid();
    const passes = (from: string, to: string) =>
      unit({ lists: { reservations: [reservation(key, from, false), reservation(key, to, true)] } });
    await answers(subject, [takes(key, 'ada')]);
    assert.deepEqual(await answers(subject, [passes('bob', 'eve')]), ['already-reserved']);
    assert.deepEqual(await answers(subject, [passes('ada', 'bob')]), ['stored']);
    assert.deepEqual(await answers(subject, [takes(key, 'ada')]), ['already-reserved']);
    const both = unit({
      lists: { reservations: [reservation(key, 'bob', true), reservation(key, 'eve', true)] },
    });
    assert.deepEqual(await answers(subject, [both]), ['already-reserved']);
  });
}

function processRules(rule: Rule): void {
  rule('a process is stored with its revision', async (subject) => {
    await answers(subject, [steps({ snapshot: { value: 'ü' }, trail: [1], version: 2 })]);
    const stored = await subject.reactions.process('fulfilment', 'o-1');
    const { startedAt, updatedAt, ...kept } = stored ?? fail();
    const { revision: _read, ...given } = process({ snapshot: { value: 'ü' }, trail: [1], version: 2 });
    assert.deepEqual(kept, { ...given, revision: 1, error: null });
    assert.equal(startedAt, updatedAt);
    assert.equal(await subject.reactions.process('fulfilment', 'o-2'), undefined);
    assert.equal(await subject.reactions.process('other', 'o-1'), undefined);
  });

  rule('a step needs the revision that is stored', async (subject) => {
    assert.deepEqual(await answers(subject, [steps({ revision: 1 })]), ['stream-conflict']);
    assert.deepEqual(await answers(subject, [steps({ revision: 0 })]), ['stored']);
    assert.deepEqual(await answers(subject, [steps({ revision: 0 })]), ['stream-conflict']);
    assert.deepEqual(await answers(subject, [steps({ revision: 1, state: 'paid' })]), ['stored']);
    const stored = (await subject.reactions.process('fulfilment', 'o-1')) ?? fail();
    assert.deepEqual([stored.revision, stored.state], [2, 'paid']);
    assert.ok(microsOf(stored.updatedAt) >= microsOf(stored.startedAt));
  });

  rule('a process that ended stays, and does not start again', async (subject) => {
    await answers(subject, [steps({ status: 'ended' })]);
    assert.equal((await subject.reactions.process('fulfilment', 'o-1'))?.status, 'ended');
    assert.deepEqual(await answers(subject, [steps({ revision: 0 })]), ['stream-conflict']);
  });

  rule('a parked process says why', async (subject) => {
    await answers(subject, [steps({ status: 'parked', error: 'process-version' })]);
    const stored = await subject.reactions.process('fulfilment', 'o-1');
    assert.deepEqual([stored?.status, stored?.error], ['parked', 'process-version']);
  });

  rule('of two steps of one flush from one revision, the first is stored', async (subject) => {
    const units = [steps({}), steps({}), steps({ revision: 1, state: 'paid' }), steps({ key: 'o-2' })];
    assert.deepEqual(await answers(subject, units), ['stored', 'stream-conflict', 'stored', 'stored']);
    assert.equal((await subject.reactions.process('fulfilment', 'o-1'))?.state, 'paid');
  });
}

function unitRules(rule: Rule): void {
  rule('a unit with lists is stored with its events', async (subject) => {
    const cursor = await hold(subject);
    const whole = everythingOf(cursor, newUuid());
    assert.deepEqual(await answers(subject, [whole]), ['stored']);
    assert.equal(whole.events[0]?.globalPosition, 1);
    assert.equal(whole.records.length, 1);
    assert.ok(typeof whole.records[0]?.recordedAt === 'string');
  });

  for (const [code, spoil] of refusals) {
    rule(`a unit that is refused as ${code} leaves nothing behind`, async (subject) => {
      const cursor = await hold(subject);
      const name = newUuid();
      const refused = everythingOf(cursor, name);
      const { store, reactions } = subject;
      const spoiled = await spoil(refused, subject, cursor, name);
      const before = await collect(store.readAll({ after: 0 }));
      assert.deepEqual(await answers(subject, [spoiled]), [code]);
      // As one of many, too.
      assert.deepEqual(await answers(subject, [unit({}), spoiled, unit({})]), ['stored', code, 'stored']);
      assert.deepEqual(await collect(store.readAll({ after: 0 })), before);
      assert.equal((await reactions.process('fulfilment', 'whole'))?.revision, undefined);
      assert.deepEqual(await reactions.timersOf('command', 'whole', 'whole'), []);
      assert.equal(
        (await reactions.asideKeys('line')).some(({ key }) => key === 'whole'),
        false,
      );
      assert.equal((await reactions.takeCursor('line', 'head')).done.includes(50), false);
      if (code !== 'already-reserved')
        assert.deepEqual(await answers(subject, [takes(name, 'x')]), ['stored']);
      if (spoiled.outcome !== undefined)
        assert.deepEqual(await answers(subject, [unit({ outcome: spoiled.outcome })]), ['stored']);
    });
  }

  rule('a unit that is overtaken says so before it says that a stream has moved on', async (subject) => {
    const cursor = heldCursor('nobody', 1);
    const expected = new Map([[newUuid(), 7]]);
    const mark = { ...handles(cursor, 1), expected };
    const timers = { ...fires({ id: newUuid(), dueAt: '2026-01-01T00:00:00Z' }), expected };
    const name = newUuid();
    await answers(subject, [takes(name, 'ada')]);
    const reserves = { ...takes(name, 'bob'), expected };
    assert.deepEqual(await answers(subject, [mark, timers, reserves]), [
      'overtaken',
      'timer-gone',
      'stream-conflict',
    ]);
  });

  rule('a unit that is stored already is not stored again, whatever its lists say', async (subject) => {
    const cursor = await hold(subject);
    const repeated = { ...handles(cursor, 5), events: [event()] };
    await answers(subject, [repeated]);
    assert.deepEqual(await answers(subject, [repeated]), ['stored']);
    assert.deepEqual(await answers(subject, [unit({}), repeated]), ['stored', 'stored']);
    assert.equal((await collect(subject.store.readAll({ after: 0 }))).length, 1);
  });

  rule('what cannot be stored is refused before it reaches the store', async (subject) => {
    const large = 'x'.repeat(65 * 1024);
    const cursor = await hold(subject);
    const bad = [
      sets(timer({ data: large })),
      sets(timer({ key: 'a\0b' })),
      sets(timer({ data: 'a\0b' })),
      sets(timer({ name: 'n'.repeat(300) })),
      sets(timer({ due: { inMs: Number.NaN } })),
      sets(timer({ due: { at: 'tomorrow' } })),
      ends('no id'),
      steps({ key: '\ud800' }),
      steps({ snapshot: large }),
      steps({ revision: -1 }),
      handles(cursor, 1.5),
      unit({ lists: { processes: [process({}), process({})] } }),
      takes('no id', 'ada'),
    ];
    const codes = await Promise.all(bad.map((one) => answers(subject, [one])));
    assert.deepEqual(
      codes.flat(),
      bad.map(() => 'invalid-event'),
    );
  });
}

type Spoil = (whole: Unit, subject: StoreWithLists, cursor: TestCursor, name: Uuid) => Promise<Unit>;

/** How a unit that would be stored comes to be refused. */
const refusals: readonly (readonly [string, Spoil])[] = [
  [
    'overtaken',
    async (whole, subject) => {
      await hold(subject);
      return whole;
    },
  ],
  [
    'timer-gone',
    async (whole) => withLists(whole, { ended: [{ id: newUuid(), firedAt: '2026-01-01T00:00:00Z' }] }),
  ],
  [
    'already-reserved',
    async (whole, subject, _cursor, name) => {
      await answers(subject, [takes(name, 'another')]);
      return whole;
    },
  ],
  [
    'stream-conflict',
    async (whole) => withLists(whole, { processes: [process({ key: 'whole', revision: 4 })] }),
  ],
];

const withLists = (whole: Unit, lists: Partial<UnitLists>): Unit => ({
  ...whole,
  lists: { ...emptyLists, ...whole.lists, ...lists },
});

/** An audited unit with one entry in each list. */
function everythingOf(cursor: HeldCursor, name: Uuid): Unit {
  const staged = event();
  return {
    ...unit({
      events: [staged],
      outcome: { key: Buffer.from('key'), fingerprint: Buffer.from('print'), status: 200, body: '{}' },
      lists: {
        handled: [{ cursor, position: 50, key: 'whole' }],
        aside: [{ cursor, key: 'whole', from: 0, next: 50, ...waits }],
        timers: [timer({ name: 'whole', key: 'whole' })],
        ended: [{ id: newUuid() }],
        reservations: [reservation(name, 'ada', true)],
        processes: [process({ key: 'whole' })],
      },
    }),
    records: [{ envelope: { ...staged.envelope, messageId: newUuid() }, of: staged, publish: false }],
  };
}

interface TestCursor extends HeldCursor {
  settled: Long;
}

const placeOf = ({ position, done }: Progress): Omit<Progress, 'epoch'> => ({ position, done });

const heldCursor = (name: string, epoch: number): TestCursor => ({
  name,
  epoch,
  settled: 0,
  settledTo() {
    return this.settled;
  },
});

async function hold({ reactions }: StoreWithLists, name = 'line'): Promise<TestCursor> {
  return heldCursor(name, (await reactions.takeCursor(name, 'beginning')).epoch);
}

/** Commits the units at once: a store may take all of them in one flush. */
const answers = ({ store }: StoreWithLists, units: readonly Unit[]): Promise<string[]> =>
  Promise.all(
    units.map((one) =>
      store.commit(one).then(
        () => 'stored',
        (error: unknown) => (error instanceof Problem ? error.code : String(error)),
      ),
    ),
  );

const emptyLists: UnitLists = {
  handled: [],
  aside: [],
  timers: [],
  ended: [],
  reservations: [],
  processes: [],
};

type UnitInit = Omit<Partial<Unit>, 'lists'> & { readonly lists?: Partial<UnitLists> };

const unit = ({ lists, ...init }: UnitInit): Unit => ({
  ...{ events: [], records: [], expected: new Map<Uuid, Long>(), ...init },
  ...(lists === undefined ? {} : { lists: { ...emptyLists, ...lists } }),
});

const event = (): StagedEvent => ({
  streamId: newUuid(),
  envelope: {
    messageId: newUuid(),
    messageType: 'Happened',
    payload: {},
    timestamp: '2026-01-01T00:00:00Z',
    v: 1,
  },
});

const handles = (cursor: HeldCursor, position: Long, key = `key-${position}`): Unit =>
  unit({ lists: { handled: [{ cursor, position, key }] } });

const waits = { state: 'retrying', attempts: 1, retryInMs: 0, error: null } as const;

const aside = (step: Partial<AsideStep> & Pick<AsideStep, 'cursor' | 'key' | 'from' | 'next'>): Unit =>
  unit({ lists: { aside: [{ ...waits, ...step }] } });

const setsAside = (cursor: HeldCursor, position: Long, key: string, wait: Partial<AsideStep> = {}): Unit =>
  unit({
    lists: {
      handled: [{ cursor, position, key }],
      aside: [{ ...waits, ...wait, cursor, key, from: 0, next: position }],
    },
  });

const goesOn = (cursor: HeldCursor, key: string, from: Long, next: Long): Unit =>
  aside({ cursor, key, from, next });

const timer = (init: Partial<SetTimer> = {}): SetTimer => ({
  ...{ id: newUuid(), kind: 'command', name: 'reminder', key: newUuid(), again: 'replace' },
  ...{ due: { inMs: 0 }, data: {}, context: {} },
  ...init,
});

const sets = (...timers: SetTimer[]): Unit => unit({ lists: { timers } });
const ends = (id: Uuid): Unit => unit({ lists: { ended: [{ id }] } });
const fires = ({ id, dueAt }: Pick<StoredTimer, 'id' | 'dueAt'>): Unit =>
  unit({ lists: { ended: [{ id, firedAt: dueAt }] } });

/** Of all partitions: the timers of this key. */
async function dueOf({ reactions }: StoreWithLists, key: string, limit = 100) {
  const parts = Array.from({ length: partitions }, (_, part) => reactions.dueTimers([part], limit));
  const found = await Promise.all(parts);
  const due = found.flatMap((part) => part.due).filter((one) => one.key === key);
  return { due, nextInMs: found.find(({ nextInMs }) => nextInMs !== null)?.nextInMs ?? null };
}

async function only({ reactions }: StoreWithLists, { name, key }: SetTimer): Promise<StoredTimer> {
  const timers = await reactions.timersOf('command', name, key);
  assert.equal(timers.length, 1);
  return timers[0] ?? fail();
}

const reservation = (key: Uuid, owner: string, take: boolean, forMs?: number): ReservationStep => ({
  ...{ key, name: 'email', owner, take },
  ...(forMs === undefined ? {} : { forMs }),
});

const takes = (key: Uuid, owner: string, forMs?: number): Unit =>
  unit({ lists: { reservations: [reservation(key, owner, true, forMs)] } });
const gives = (key: Uuid, owner: string): Unit =>
  unit({ lists: { reservations: [reservation(key, owner, false)] } });

const process = (init: Partial<ProcessStep>): ProcessStep => ({
  ...{ name: 'fulfilment', key: 'o-1', revision: 0, version: 1, state: 'reserving', status: 'running' },
  ...{ snapshot: {}, trail: [] },
  ...init,
});

const steps = (init: Partial<ProcessStep>): Unit => unit({ lists: { processes: [process(init)] } });

const fail = (): never => assert.fail('it is not there');
