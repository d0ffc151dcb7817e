import assert from 'node:assert/strict';
import { newUuid } from '../../../contracts/uuid.js';
import { untilPasses } from '../../kit/until.js';
import { type Rule, answers, unit, reservation, takes, gives } from './units.js';

export function reservationRules(rule: Rule): void {
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
