import assert from 'node:assert/strict';
import { partitions } from '../../../contracts/reaction-store.js';
import type { SetTimer } from '../../../contracts/unit-lists.js';
import { newUuid } from '../../../contracts/uuid.js';
import { microsOf } from '../../store/micros.js';
import { type Rule, answers, unit, timer, sets, ends, fires, dueOf, only, fail } from './units.js';

export function timerRules(rule: Rule): void {
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
      kind: 'process',
      name: 'fulfilment',
      key: 'o-1',
      attempts: 3,
      expiresMs: 60_000,
      error: 'busy',
      data: { type: 'after', list: [1, 'ü', null] },
      context: { tenant: 't' },
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
    const firesAt = (firedAt: string) => unit({ lists: { ended: [{ id: set.id, firedAt }] } });
    assert.deepEqual(await answers(subject, [firesAt('2030-01-01T00:00:00.123457Z')]), ['timer-gone']);
    assert.deepEqual(await answers(subject, [firesAt('2030-01-01T00:00:00.123Z')]), ['timer-gone']);
    assert.deepEqual(await answers(subject, [firesAt('2030-01-01T00:00:00.123456Z')]), ['stored']);
    assert.deepEqual(await answers(subject, [firesAt('2030-01-01T00:00:00.123456Z')]), ['timer-gone']);
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

  rule('due timers are read without those of some names and tenants', async (subject) => {
    const due = { at: '2026-01-01T00:00:00Z' };
    await answers(subject, [
      ...['sick', 'well', 'sick'].map((name) => sets(timer({ name, due }))),
      sets(timer({ name: 'sick', due, context: { scope: { tenantId: 'north' } } })),
    ]);
    const parts = Array.from({ length: partitions }, (_, part) => part);
    const namesOf = async (limit: number, except?: readonly string[]) =>
      (await subject.reactions.dueTimers(parts, limit, except)).due.map(({ name }) => name).sort();
    assert.deepEqual(await namesOf(10), ['sick', 'sick', 'sick', 'well']);
    assert.deepEqual(await namesOf(1, ['sick\n', 'sick\nnorth', 'unknown\n']), ['well']);
    assert.deepEqual(await namesOf(10, ['sick\n', 'well\n']), ['sick']);
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
