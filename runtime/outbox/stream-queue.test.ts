import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { aMessage } from '../kit/transport-contract.js';
import type { PendingMessage } from './outbox.js';
import { type Entry, StreamQueue } from './stream-queue.js';

const test = suite('stream queue');

const pending = (position: number, more: Partial<PendingMessage> = {}): PendingMessage => ({
  ...aMessage('Baked', position),
  position,
  attempts: 0,
  dueInMs: 0,
  ...more,
});

function lineOf(count: number): StreamQueue {
  const queue = new StreamQueue();
  for (let n = 1; n <= count; n++) queue.add(pending(n), 0);
  return queue;
}

function takeAll(queue: StreamQueue, max: number, now = 0): Entry[] {
  const entries: Entry[] = [];
  for (let entry = queue.take(now, max); entry !== undefined; entry = queue.take(now, max))
    entries.push(entry);
  return entries;
}

const positions = (entries: readonly Entry[]): number[] => entries.map(({ message }) => message.position);

test('as many messages as allowed are in flight in order, and another follows when one is settled', () => {
  const queue = lineOf(6);
  const [first, second] = takeAll(queue, 3);
  assert.ok(first && second);
  assert.equal(positions(takeAll(queue, 3)), []);
  queue.settle(second);
  assert.equal(positions(takeAll(queue, 3)), [4]);
  queue.settle(first);
  assert.equal(positions(takeAll(queue, 3)), [5]);
});

test('nothing is sent after a message to retry, and it is sent alone when the others are settled', () => {
  const queue = lineOf(6);
  const [first, second, third] = takeAll(queue, 3);
  assert.ok(first && second && third);
  queue.retry(first, 1, 100);
  assert.equal([queue.dueAt, takeAll(queue, 3, 100)], [Number.POSITIVE_INFINITY, []]);
  queue.settle(second);
  queue.settle(third);
  assert.is(queue.dueAt, 100);
  assert.equal(takeAll(queue, 3, 99), []);
  assert.equal(positions(takeAll(queue, 3, 100)), [1]);
  queue.settle(first);
  assert.equal(positions(takeAll(queue, 3, 100)), [4, 5, 6]);
});

test('when all are to be retried they are sent again in order, one at a time, then the others', () => {
  const queue = lineOf(5);
  const inFlight = takeAll(queue, 3);
  for (const entry of inFlight.toReversed()) queue.retry(entry, 0, 0);
  for (const position of [1, 2, 3]) {
    const again = takeAll(queue, 3);
    assert.equal(positions(again), [position]);
    for (const entry of again) queue.settle(entry);
  }
  assert.equal(positions(takeAll(queue, 3)), [4, 5]);
});

test('a message that the broker rejected for another relay counts as a retry', () => {
  const queue = new StreamQueue();
  queue.add(pending(1), 0);
  queue.add(pending(2, { attempts: 2, dueInMs: 50 }), 0);
  queue.add(pending(3), 0);
  for (const [position, dueAt] of [
    [1, 0],
    [2, 50],
    [3, 0],
  ] as const) {
    assert.is(queue.dueAt, dueAt);
    const [entry, ...others] = takeAll(queue, 3, 50);
    assert.ok(entry);
    assert.equal([entry.message.position, others], [position, []]);
    queue.settle(entry);
  }
  assert.ok(queue.isEmpty);
});

test('a long queue drops what is settled', () => {
  const queue = lineOf(1_000);
  for (let n = 1; n <= 1_000; n++) {
    const entry = queue.take(0, 1);
    assert.is(entry?.message.position, n);
    if (entry !== undefined) queue.settle(entry);
  }
  assert.ok(queue.isEmpty);
  queue.add(pending(1_001), 0);
  assert.is(queue.take(0, 1)?.message.position, 1_001);
});
