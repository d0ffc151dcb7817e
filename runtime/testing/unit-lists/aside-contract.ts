import assert from 'node:assert/strict';
import { type Rule, hold, answers, handles, waits, aside, setsAside, goesOn } from './units.js';

const stands = { ...waits, isGivenUp: false };

export function asideRules(rule: Rule): void {
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
    assert.deepEqual(first, { ...stands, key: 'b', position: 1 });
    assert.ok(second !== undefined && second.retryInMs > 3_000_000 && second.retryInMs <= 3_600_000);
    assert.deepEqual(
      { ...second, retryInMs: 0 },
      { ...stands, key: 'a', position: 3, attempts: 2, error: 'no\ufffdstock' },
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
    assert.deepEqual(await subject.reactions.asideKeys('line'), [{ ...stands, key: 'a', position: 7 }]);
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
      { ...stands, key: 'a', position: 7, state: 'parked', attempts: 8 },
    ]);
    assert.deepEqual(await subject.reactions.retryingKeys('line', '', 10), []);
    assert.deepEqual((await subject.reactions.takeCursor('line', 'head')).done, [3]);
  });

  rule('keys that are tried again are read page by page', async (subject) => {
    const { reactions } = subject;
    const cursor = await hold(subject);
    await answers(subject, [setsAside(cursor, 5, 'a'), setsAside(cursor, 4, 'b'), setsAside(cursor, 3, 'c')]);
    await answers(subject, [
      setsAside(cursor, 2, 'd', { state: 'parked' }),
      setsAside(await hold(subject, 'other'), 1, 'e'),
    ]);
    const read = async (after: string, limit: number): Promise<readonly string[]> =>
      (await reactions.retryingKeys('line', after, limit)).map(({ key, position }) => `${key} ${position}`);
    assert.deepEqual(await read('', 2), ['a 5', 'b 4']);
    assert.deepEqual(await read('b', 2), ['c 3']);
    assert.deepEqual(await read('c', 2), []);
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
