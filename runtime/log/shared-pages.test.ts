import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { Event } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import type { LogEntry } from './log-entry.js';
import { SharedPages } from './shared-pages.js';

const test = suite('pages that cursors share');

function scene(length: number) {
  const state = { head: length, changes: 0 };
  const reads: (readonly [number, number])[] = [];
  const pages = new SharedPages(
    {
      page: async (after, limit) => {
        reads.push([after, limit]);
        const { head } = state;
        await Promise.resolve();
        const to = Math.min(head, after + limit);
        return { entries: positions(after, to).map(entryAt), to, head };
      },
    },
    () => state.changes,
  );
  const read = async (after: number, limit = 10) => {
    const { entries, to } = await pages.page(after, limit);
    return [entries.map(({ event }) => event.globalPosition), to] as const;
  };
  return { state, reads, read };
}

const positions = (after: number, to: number): number[] =>
  Array.from({ length: to - after }, (_, index) => after + 1 + index);

const entryAt = (globalPosition: number): LogEntry => ({
  event: { globalPosition } as StoredEvent<Event>,
  key: { at: 0, store: '', position: 0 },
  late: false,
  isForeign: false,
});

test('a full page is read once, also by cursors that ask at the same time or begin in the middle of it', async () => {
  const { reads, read } = scene(25);
  const [first, second] = await Promise.all([read(0), read(0)]);
  assert.equal(first, [positions(0, 10), 10]);
  assert.equal(second, first);
  assert.equal(await read(4), [positions(4, 10), 10]);
  assert.equal(await read(4, 2), [[5, 6], 6]);
  assert.equal(reads, [[0, 10]]);
});

test('the end of the log is always read again', async () => {
  const { state, reads, read } = scene(25);
  const early = read(20);
  state.head = 26;
  const late = read(20);
  assert.equal(await early, [positions(20, 25), 25]);
  assert.equal(await late, [positions(20, 26), 26]);
  assert.is(reads.length, 2);
});

test('a read that fails is the failure of one cursor, and the next one reads again', async () => {
  let fails = true;
  const pages = new SharedPages(
    {
      page: async () => {
        await Promise.resolve();
        if (fails) {
          fails = false;
          throw new Error('lost');
        }
        return { entries: [], to: 0, head: 0 };
      },
    },
    () => 0,
  );
  const failing = pages.page(0, 10).then(
    () => 'read',
    () => 'failed',
  );
  const waiting = pages.page(0, 10);
  assert.is(await failing, 'failed');
  assert.is((await waiting).to, 0);
});

test('another server may not have had a kept page: it is read again after a new connection, also when it was on its way', async () => {
  const { state, reads, read } = scene(25);
  await read(0);
  state.changes++;
  const reading = read(0);
  state.changes++;
  await reading;
  await read(0);
  assert.equal(reads, [
    [0, 10],
    [0, 10],
    [0, 10],
  ]);
});

test('a full page that ends at the head is not kept: who reads it later must learn of a longer log', async () => {
  const { state, reads, read } = scene(10);
  await read(0);
  state.head = 11;
  await read(0);
  assert.is(reads.length, 2);
});

test('only the last pages are kept', async () => {
  const { reads, read } = scene(200);
  for (let after = 0; after < 90; after += 10) await read(after);
  await read(0);
  assert.is(reads.length, 10);
});
