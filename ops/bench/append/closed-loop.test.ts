import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { closedLoop } from './closed-loop.js';
import type { LogEvent } from './event-log.js';

const test = suite('bench closed loop');

async function appendsOf(callers: number) {
  const streams = new Map<string, number[]>();
  const sizes = new Set<number>();
  let waiting = 0;
  let most = 0;
  const append = async (streamId: string, { data }: LogEvent, expected: number) => {
    streams.set(streamId, [...(streams.get(streamId) ?? []), expected]);
    sizes.add(JSON.stringify(data).length);
    most = Math.max(most, ++waiting);
    await new Promise(setImmediate);
    waiting--;
  };
  await closedLoop({ append, close: () => Promise.resolve() }, { callers, seconds: 0.01 });
  return { streams: [...streams.values()], sizes, most };
}

test('a stream gets ten events, each with the position it expects', async () => {
  const { streams } = await appendsOf(1);
  assert.equal(streams[0], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.ok(streams.every((positions) => positions.length <= 10));
});

test('every caller waits for its answer before it appends again', async () => {
  const { most } = await appendsOf(8);
  assert.is(most, 8);
});

test('an event is about 370 bytes long', async () => {
  const { sizes } = await appendsOf(1);
  assert.ok(
    [...sizes].every((size) => size > 330 && size < 410),
    [...sizes].join(),
  );
});

test('an event of the Event Store Benchmark Suite has 256 bytes, and a stream ten events, also to read', async () => {
  const sizes = new Set<number>();
  const stored = new Map<string, number>();
  const read = new Map<string, number>();
  const log = {
    append: (streamId: string, { data }: LogEvent) => {
      sizes.add(JSON.stringify(data).length);
      stored.set(streamId, (stored.get(streamId) ?? 0) + 1);
      return Promise.resolve();
    },
    read: async (streamId: string) => {
      await new Promise(setImmediate);
      read.set(streamId, stored.get(streamId) ?? 0);
      return 0;
    },
    close: () => Promise.resolve(),
  };
  await closedLoop(log, { callers: 2, seconds: 0.01, work: 'reads' });
  assert.equal([...sizes], [256]);
  assert.is(stored.size, 500);
  assert.ok(read.size > 0);
  assert.equal([...new Set(read.values())], [10]);
});
