import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { Event } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { LogEntry, OnlyThese } from '../../runtime/log/log-entry.js';
import type { CursorWork } from '../steps/cursor-work.js';
import { isAmong } from '../../runtime/testing/in-memory-cursor-log.js';
import { CursorReader } from './cursor-reader.js';

const test = suite('the log as a cursor reads it');

/** A log in which the event at each position has the key that `keyAt` says. */
function scene(length: number, keyAt: (position: number) => string, isKeyedByStream = false) {
  let pages = 0;
  const asked: (OnlyThese | undefined)[] = [];
  const entryAt = (globalPosition: number): LogEntry => ({
    event: { globalPosition, streamId: keyAt(globalPosition) } as StoredEvent<Event>,
    key: { at: 0, store: '', position: 0 },
    late: false,
    isForeign: false,
  });
  const log = {
    page: async (after: number, limit: number, only?: OnlyThese) => {
      pages++;
      asked.push(only);
      const entries: LogEntry[] = [];
      let to = after;
      while (to < length && entries.length < limit) {
        const entry = entryAt(++to);
        if (isAmong(only, entry.event)) entries.push(entry);
      }
      return { entries, to, head: length };
    },
  };
  const work = {
    isKeyedByStream,
    keyOf: ({ event }: LogEntry) => event.streamId,
    skips: ({ event }: LogEntry) => event.streamId === 'imported',
  } as Partial<CursorWork> as CursorWork;
  const reader = new CursorReader(log, { name: 'line', part: 0, work }, { count: () => undefined });
  const find = async (after: Readonly<Record<string, number>>, upTo: number) => {
    const found = await reader.find(new Map(Object.entries(after)), upTo, (read) => read());
    return Object.fromEntries(
      [...found].map(([key, { positions, all }]) => [key, [positions, all] as const]),
    );
  };
  return { reader, find, asked, pages: () => pages };
}

test('events behind many keys are found in one pass, each behind the event that its key is at', async () => {
  const { find, pages } = scene(1_024, (position) => `key ${position % 100}`);
  const after = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key ${index}`, 800]));
  const found = await find({ ...after, 'key 7': 907, nowhere: 800 }, 1_020);
  assert.is(pages(), 4);
  assert.equal(found['key 1'], [[801, 901, 1_001], true]);
  assert.equal(found['key 7'], [[1_007], true]);
  assert.equal(found['key 21'], [[821, 921], true], 'what was read later is offered to the line');
  assert.equal(found['nowhere'], [[], true]);
});

test('of a key with very many events the first ones are found, and it is said that there are others', async () => {
  const { find, pages } = scene(100_000, (position) => (position % 2 === 0 ? 'busy' : 'imported'));
  const { busy, imported } = await find({ busy: 10, imported: 10 }, 5_000);
  const [positions = [], all] = busy ?? [];
  assert.equal([positions.length, positions[0], all], [200, 12, false]);
  assert.equal(imported, [[], true]);
  const before = pages();
  await find({ busy: 10 }, 100_000);
  assert.is(pages() - before, 7, 'no more is read than one answer takes');
});

test('what is behind keys that are streams is found by their index, and nothing else is read', async () => {
  const streams = Array.from({ length: 300 }, () => newUuid());
  const { find, asked } = scene(20_000, (at) => streams[at] ?? streams[at - 19_900] ?? '', true);
  const found = await find(
    { ...Object.fromEntries(streams.slice(1).map((key, index) => [key, index + 1])), gone: 5 },
    20_000,
  );
  assert.equal(found[streams[7] ?? ''], [[19_907], true]);
  assert.equal([found[streams[200] ?? ''], found['gone']], Array(2).fill([[], true]));
  assert.equal(
    asked.map((only) => only !== undefined && 'streams' in only && only.streams.length),
    [200, 200, 99],
  );
});

test('where streams have very many events, the log is read instead', async () => {
  const streams = Array.from({ length: 20 }, () => newUuid());
  const { find, asked } = scene(2_000, (at) => streams[at % 20] ?? '', true);
  const found = await find(Object.fromEntries(streams.map((key) => [key, 20])), 2_000);
  assert.equal(
    streams.map((key) => found[key]?.[0].length),
    Array(20).fill(99),
  );
  assert.equal([...new Set(asked.slice(8))], [undefined]);
});

test('the events of keys that are tried together are read by one statement', async () => {
  const { reader, asked } = scene(1_000, String);
  const entries = await Promise.all([7, 900, 12].map((position) => reader.entryAt(position)));
  assert.equal(
    entries.map(({ event }) => event.globalPosition),
    [7, 900, 12],
  );
  assert.equal(asked, [{ positions: [7, 900, 12] }]);
  assert.match(await reader.entryAt(2_000).then(String, String), 'no longer in the log');
});
