import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { fitBroker } from './fit-broker.js';
import { largestBody } from './pack-nats-message.js';

const test = suite('events that fit the broker');

const staged = (payload: unknown) => ({
  streamId: newUuid(),
  envelope: {
    messageId: newUuid(),
    messageType: 'PictureAdded',
    payload,
    timestamp: new Date().toISOString(),
    v: 1,
  },
});
const passes = { shouldPublishToTransport: () => true };
const check = (payload: unknown, filter = passes): void =>
  fitBroker('msgpack', () => filter)(staged(payload), JSON.stringify(payload));

test('an event over the limit of a message is refused with 413, and the text names the limit', () => {
  assert.throws(
    () => check({ picture: 'x'.repeat(largestBody) }),
    (error: unknown) =>
      error instanceof Problem &&
      error.code === 'event-too-large' &&
      error.status === 413 &&
      (error.detail ?? '').includes('at most 524288'),
  );
});

test('characters and numbers count by what they take in a message', () => {
  assert.throws(() => check({ text: '漢'.repeat(180_000) }), /has \d+ bytes/);
  assert.throws(() => check({ shares: Array<number>(60_000).fill(0.5) }), /has \d+ bytes/);
  check({ text: 'x'.repeat(500_000) });
});

test('an event that the filter keeps here has no such limit', () => {
  check({ picture: 'x'.repeat(largestBody) }, { shouldPublishToTransport: () => false });
});
