import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { suite } from '../../contracts/testing/suite.js';
import { decodeBytes } from '../envelope/envelope-codec.js';
import { aMessage } from '../kit/transport-contract.js';
import { packMessage } from './pack-nats-message.js';

const test = suite('nats message');

const roomy = 8 * 1024 * 1024;
const text = (kib: number): string => 'x'.repeat(kib * 1024);
const packed = (payload: unknown, maxPayload = roomy) =>
  packMessage(aMessage('Baked', 1, payload), maxPayload);

function problemOf(act: () => unknown): Problem | undefined {
  try {
    act();
  } catch (error) {
    assert.instance(error, Problem);
    return error as Problem;
  }
}

test('a message is sent whole, with its headers', () => {
  const { body, headers } = packed({ loaves: 3 });
  assert.equal((decodeBytes(body) as StoredEvent).payload, { loaves: 3 });
  assert.is(headers['svc-correlation-id'], 'monday');
  assert.match(headers['traceparent'] ?? '', /^00-0af7651916cd43dd8448eb211c80319c-/);
  assert.is(headers['tracestate'], 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE');
  assert.not('svc-body' in headers);
});

test('an audit over 512 KiB is sent without its body, and marked as such', () => {
  for (const name of ['originalBody', 'commandBody']) {
    const { body, headers } = packed({ id: '7', [name]: { text: text(520) } });
    assert.equal((decodeBytes(body) as StoredEvent).payload, { id: '7', [name]: null });
    assert.is(headers['svc-body'], 'omitted');
  }
});

test('a CloudEvent is sent with its content type, and its limit is the same', () => {
  const cloud = (payload: unknown) =>
    packMessage(aMessage('Baked', 1, payload), roomy, { format: 'cloudevents' });
  const { body, headers } = cloud({ loaves: 3 });
  assert.is(headers['content-type'], 'application/cloudevents+json');
  assert.equal((JSON.parse(Buffer.from(body).toString()) as { data: unknown }).data, { loaves: 3 });
  assert.is(cloud({ originalBody: text(520) }).headers['svc-body'], 'omitted');
  assert.is(problemOf(() => cloud({ text: text(520) }))?.code, 'message-too-large');
});

test('an audit of up to 512 KiB keeps its body', () => {
  assert.not('svc-body' in packed({ originalBody: { text: text(500) } }).headers);
});

test('a lower limit of the broker counts', () => {
  assert.is(packed({ commandBody: text(70) }, 64 * 1024).headers['svc-body'], 'omitted');
  assert.is(problemOf(() => packed({ text: text(70) }, 64 * 1024))?.code, 'message-too-large');
});

test('anything else that is too large is rejected', () => {
  assert.is(problemOf(() => packed({ text: text(520) }))?.code, 'message-too-large');
  assert.is(problemOf(() => packed({ originalBody: 1, text: text(520) }))?.code, 'message-too-large');
  assert.match(
    problemOf(() => packed(text(520)))?.detail ?? '',
    /has \d+ bytes; the transport accepts 524288/,
  );
});
