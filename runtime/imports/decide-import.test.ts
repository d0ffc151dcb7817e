import * as fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { sealText } from '../subjects/sealed-text.js';
import { newUuid } from '../../contracts/uuid.js';
import { decideImport, type StoredTwin, type StreamEnd } from './decide-import.js';
import type { FileEvent } from './read-event.js';

const test = suite('decisions of an import');

const stream = newUuid();

function event(over: Partial<FileEvent> = {}): FileEvent {
  return {
    line: 2,
    streamId: stream,
    streamPosition: undefined,
    eventId: newUuid(),
    eventType: 'Baked',
    occurredAt: 1_000n,
    host: 'import',
    metadata: '{"v":1}',
    data: '{"a":1,"b":2}',
    isSealed: false,
    bytes: 100,
    ...over,
  };
}

const decide = (
  events: readonly FileEvent[],
  stored: readonly (readonly [string, StoredTwin])[] = [],
  ends: readonly (readonly [string, StreamEnd])[] = [],
) => decideImport(events, new Map(stored), new Map(ends));

const refusal = (...args: Parameters<typeof decide>): string => {
  try {
    decide(...args);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

test('events get the positions behind the end of their stream, without gaps', () =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), fc.nat(), (streams, end) => {
      const ids = { a: newUuid(), b: newUuid(), c: newUuid() };
      const { rows } = decide(
        streams.map((name) => event({ streamId: ids[name] })),
        [],
        [[ids.a, { position: end, latest: 0n }]],
      );
      const next = { a: end, b: 0, c: 0 };
      assert.equal(
        rows.map(({ streamPosition }) => streamPosition),
        streams.map((name) => ++next[name]),
      );
    }),
  ));

test('an event is late if an earlier one of its stream happened after it', () =>
  fc.assert(
    fc.property(fc.array(fc.bigInt(0n, 20n)), fc.bigInt(0n, 20n), (times, latest) => {
      const { rows } = decide(
        times.map((occurredAt) => event({ occurredAt })),
        [],
        [[stream, { position: 4, latest }]],
      );
      const expected = times.map((time, index) =>
        [latest, ...times.slice(0, index)].some((before) => before > time),
      );
      assert.equal(
        rows.map(({ late }) => late),
        expected,
      );
    }),
  ));

test('an event that is stored already is passed, whatever the order of its fields', () => {
  const one = event({ streamPosition: 3 });
  const stored = { ...one, data: '{"b":2,"a":1}' };
  assert.equal(decide([one, one], [[one.eventId, stored]]), { rows: [], present: 2 });
});

test('a value that was forgotten since is no other data, and no other value may be missing', () => {
  const key = { id: newUuid(), key: randomBytes(32) };
  const sealed = sealText('"Ada"', key, { of: newUuid(), path: '/name' });
  const one = event({ streamPosition: 3, data: '{"name":null,"a":[1,null]}' });
  const storedAs = (data: unknown) => [[one.eventId, { ...one, data: JSON.stringify(data) }]] as const;
  assert.is(decide([one], storedAs({ a: [1, sealed], name: sealed })).present, 1);
  for (const data of [{ a: [1, 'Ada'], name: sealed }, { a: [2, sealed], name: sealed }, { name: sealed }])
    assert.match(refusal([one], storedAs(data)), /a different data/);
});

test('an event that stands twice in the file is imported once', () => {
  const one = event();
  const { rows, present } = decide([one, one]);
  assert.equal([rows.length, present], [1, 1]);
});

for (const [differs, over] of [
  ['streamId', { streamId: newUuid() }],
  ['streamPosition', { streamPosition: 9 }],
  ['eventType', { eventType: 'Burnt' }],
  ['occurredAt', { occurredAt: 1_001n }],
  ['data', { data: '{"a":1,"b":3}' }],
  ['metadata', { metadata: '{"v":2}' }],
] as const)
  test(`an id that is stored with another ${differs} is refused, and named with its line`, () => {
    const one = event({ streamPosition: 1 });
    const answer = refusal([{ ...one, line: 7, ...over }], [[one.eventId, { ...one, streamPosition: 1 }]]);
    assert.is(answer, `Line 7: event ${one.eventId} is stored already, with a different ${differs}.`);
    const twice = refusal([one, { ...one, line: 7, ...over }]);
    assert.is(twice, answer);
  });

test('a position that leaves a gap, or is taken, is refused', () => {
  const ends = [[stream, { position: 4, latest: 0n }]] as const;
  for (const streamPosition of [4, 6])
    assert.match(
      refusal([event({ line: 3, streamPosition })], [], ends),
      new RegExp(`^Line 3: the next position of stream ${stream} is 5, not ${streamPosition}`),
    );
  assert.is(refusal([event({ streamPosition: 5 })], [], ends), 'accepted');
});

test('encrypted values of another store are refused', () => {
  assert.match(
    refusal([event({ isSealed: true })]),
    /^Line 2: its values are encrypted with keys of another store/,
  );
});
