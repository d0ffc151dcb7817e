import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { PendingMessage } from './outbox.js';
import type { Entry } from './stream-queue.js';
import { OutboxWindow } from './window.js';

const test = suite('outbox window');

const at = '2026-01-01T00:00:00Z';
const many = 1_000;

const message = (position: number, streamId: string, more: Partial<PendingMessage> = {}): PendingMessage => ({
  id: `message-${position}`,
  destination: 'svc.events.Baked',
  envelope: {
    messageId: `message-${position}`,
    messageType: 'Baked',
    payload: {},
    streamId,
    streamPosition: position,
    globalPosition: position,
    timestamp: at,
    occurredAt: at,
    recordedAt: at,
    v: 1,
  },
  position,
  attempts: 0,
  dueInMs: 0,
  ...more,
});

/** A window over the named streams, one letter for each position from 1. */
function windowOf(streams: string): OutboxWindow {
  const window = new OutboxWindow(0);
  const page = streams.split('').map((stream, index) => message(index + 1, stream));
  window.add(page, page.length, 0);
  return window;
}

const positions = (entries: readonly Entry[]): number[] => entries.map((entry) => entry.message.position);

function only(entries: readonly Entry[]): Entry {
  const [entry] = entries;
  assert.is(entries.length, 1);
  assert.ok(entry);
  return entry;
}

test('only the oldest message of every stream may be sent', () => {
  const window = windowOf('aabac');
  assert.equal(positions(window.take(0, many)), [1, 3, 5]);
  assert.equal(positions(window.take(0, many)), []);
});

test('when a message is settled, the next one of its stream may be sent', () => {
  const window = windowOf('aba');
  const [first] = window.take(0, many);
  assert.ok(first);
  window.settle(first);
  assert.equal(positions(window.take(0, many)), [3]);
});

test('no more are taken than asked for', () => {
  const window = windowOf('abcd');
  assert.equal(positions(window.take(0, 3)), [1, 2, 3]);
  assert.equal(positions(window.take(0, -1)), []);
  assert.equal(positions(window.take(0, 3)), [4]);
});

test('the cursor may advance as far as everything is settled', () => {
  const window = windowOf('abc');
  const [a, b, c] = window.take(0, many);
  assert.ok(a && b && c);
  window.settle(b);
  assert.is(window.settledTo, 0);
  window.settle(a);
  assert.is(window.settledTo, 2);
  window.settle(c);
  assert.is(window.settledTo, 3);
});

test('positions with nothing to publish are settled when they are read', () => {
  const window = new OutboxWindow(10);
  assert.is(window.settledTo, 10);
  window.add([message(14, 'a')], 20, 0);
  assert.is(window.settledTo, 13);
  window.settle(only(window.take(0, many)));
  assert.is(window.settledTo, 20);
});

test('a rejected message waits, and its stream with it, while others continue', () => {
  const window = windowOf('aab');
  const [refused, other] = window.take(0, many);
  assert.ok(refused && other);
  window.retry(refused, 1, 100);
  window.settle(other);
  assert.equal(positions(window.take(99, many)), []);
  assert.is(window.nextDueAt, 100);
  const again = only(window.take(100, many));
  assert.equal([again.message.position, again.attempts], [1, 1]);
  assert.is(window.settledTo, 0);
});

test('a message rejected for another relay is not retried before it is due', () => {
  const window = new OutboxWindow(0);
  window.add([message(1, 'a', { attempts: 3, dueInMs: 50 })], 1, 1_000);
  assert.equal(window.take(1_049, many), []);
  assert.is(only(window.take(1_050, many)).attempts, 3);
});

test('a stream continues in the next page', () => {
  const window = windowOf('a');
  window.add([message(2, 'a')], 2, 0);
  const first = only(window.take(0, many));
  window.settle(first);
  window.settle(only(window.take(0, many)));
  window.add([message(3, 'a')], 3, 0);
  assert.equal(positions(window.take(0, many)), [3]);
});

test('its size is the number of unsettled messages', () => {
  const window = windowOf('aab');
  assert.is(window.size, 3);
  const [first] = window.take(0, many);
  assert.ok(first);
  window.settle(first);
  assert.is(window.size, 2);
});

test('without a message to retry, no retry is due', () => {
  assert.is(windowOf('a').nextDueAt, Number.POSITIVE_INFINITY);
});
