import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { Event } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import type { LogEntry } from '../../runtime/log/log-entry.js';
import type { CursorWork } from '../steps/cursor-work.js';
import { CursorReader } from './cursor-reader.js';

const test = suite('the log as a cursor reads it');

/** A log in which the event at each position has the key that `keyAt` says. */
function scene(length: number, keyAt: (position: number) => string) {
  let pages = 0;
  const entryAt = (globalPosition: number): LogEntry => ({
    event: { globalPosition, streamId: keyAt(globalPosition) } as StoredEvent<Event>,
    key: { at: 0, store: '', position: 0 },
    late: false,
    isForeign: false,
  });
  const log = {
    page: async (after: number, limit: number) => {
      pages++;
      const to = Math.min(length, after + limit);
      const entries = Array.from({ length: to - after }, (_, index) => entryAt(after + 1 + index));
      return { entries, to, head: length };
    },
  };
  const work = {
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
  return { find, pages: () => pages };
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
