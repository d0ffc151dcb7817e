import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { aMessage } from '../testing/transport-contract.js';
import type { PendingMessage } from './outbox.js';
import { type Entry, StreamQueue } from './stream-queue.js';

const test = suite('stream queue');

const never = Number.POSITIVE_INFINITY;

const pending = (position: number, more: Partial<PendingMessage> = {}): PendingMessage => ({
  ...aMessage('Baked', position),
  position,
  attempts: 0,
  dueInMs: 0,
  ...more,
});

function lineOf(count: number): StreamQueue {
  const line = new StreamQueue();
  for (let n = 1; n <= count; n++) line.add(pending(n), 0);
  return line;
}

function takeAll(line: StreamQueue, most: number, now = 0): Entry[] {
  const taken: Entry[] = [];
  for (let entry = line.take(now, most); entry !== undefined; entry = line.take(now, most)) taken.push(entry);
  return taken;
}

const positions = (entries: readonly Entry[]): number[] => entries.map(({ message }) => message.position);

test('as many messages as allowed are in flight in order, and another follows when one is settled', () => {
  const line = lineOf(6);
  const [first, second] = takeAll(line, 3);
  assert.ok(first && second);
  assert.equal(positions(takeAll(line, 3)), []);
  line.settle(second);
  assert.equal(positions(takeAll(line, 3)), [4]);
  line.settle(first);
  assert.equal(positions(takeAll(line, 3)), [5]);
});

test('nothing is sent after a message to retry, and it is sent alone when the others are settled', () => {
  const line = lineOf(6);
  const [first, second, third] = takeAll(line, 3);
  assert.ok(first && second && third);
  line.retry(first, 1, 100);
  assert.equal([line.dueAt, takeAll(line, 3, 100)], [never, []]);
  line.settle(second);
  line.settle(third);
  assert.is(line.dueAt, 100);
  assert.equal(takeAll(line, 3, 99), []);
  assert.equal(positions(takeAll(line, 3, 100)), [1]);
  line.settle(first);
  assert.equal(positions(takeAll(line, 3, 100)), [4, 5, 6]);
});

test('when all are to be retried they are sent again in order, one at a time, then the others', () => {
  const line = lineOf(5);
  const inFlight = takeAll(line, 3);
  for (const entry of inFlight.toReversed()) line.retry(entry, 0, 0);
  for (const position of [1, 2, 3]) {
    const again = takeAll(line, 3);
    assert.equal(positions(again), [position]);
    for (const entry of again) line.settle(entry);
  }
  assert.equal(positions(takeAll(line, 3)), [4, 5]);
});

test('a message that the broker rejected for another relay counts as a retry', () => {
  const line = new StreamQueue();
  line.add(pending(1), 0);
  line.add(pending(2, { attempts: 2, dueInMs: 50 }), 0);
  line.add(pending(3), 0);
  for (const [position, dueAt] of [
    [1, 0],
    [2, 50],
    [3, 0],
  ] as const) {
    assert.is(line.dueAt, dueAt);
    const [entry, ...others] = takeAll(line, 3, 50);
    assert.ok(entry);
    assert.equal([entry.message.position, others], [position, []]);
    line.settle(entry);
  }
  assert.ok(line.isEmpty);
});

test('a long queue drops what is settled', () => {
  const line = lineOf(1_000);
  for (let n = 1; n <= 1_000; n++) {
    const entry = line.take(0, 1);
    assert.is(entry?.message.position, n);
    if (entry !== undefined) line.settle(entry);
  }
  assert.ok(line.isEmpty);
  line.add(pending(1_001), 0);
  assert.is(line.take(0, 1)?.message.position, 1_001);
});

test.run();
