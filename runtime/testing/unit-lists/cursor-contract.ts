import assert from 'node:assert/strict';
import { type Rule, placeOf, heldCursor, hold, answers, unit, event, handles, waits } from './units.js';

export function cursorRules(rule: Rule): void {
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
