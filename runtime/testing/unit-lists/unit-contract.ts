import assert from 'node:assert/strict';
import type { Uuid } from '../../../contracts/scalars.js';
import type { HeldCursor, UnitLists } from '../../../contracts/unit-lists.js';
import type { Unit } from '../../../contracts/unit-store.js';
import { newUuid } from '../../../contracts/uuid.js';
import { collect } from '../../kit/collect.js';
import {
  type StoreWithLists,
  type Rule,
  type TestCursor,
  heldCursor,
  hold,
  answers,
  emptyLists,
  unit,
  event,
  handles,
  waits,
  timer,
  sets,
  ends,
  fires,
  reservation,
  takes,
  process,
  steps,
} from './units.js';

export function unitRules(rule: Rule): void {
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
