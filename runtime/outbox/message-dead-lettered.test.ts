import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { OutboundMessage } from '../../contracts/transport.js';
import { messageDeadLettered } from './message-dead-lettered.js';

const test = suite('dead letter report');

const rejection = { attempts: 5, error: 'RangeError: too large', fingerprint: '0123456789ab' };

const message = (messageType: string): OutboundMessage => ({
  destination: `svc.events.${messageType}`,
  id: '018f0000-0000-7000-8000-0000000000aa',
  envelope: {
    messageId: '018f0000-0000-7000-8000-0000000000aa',
    messageType,
    payload: {},
    streamId: '018f0000-0000-7000-8000-0000000000bb',
    streamPosition: 1,
    globalPosition: 1,
    timestamp: '2026-01-01T00:00:00Z',
    occurredAt: '2026-01-01T00:00:00Z',
    recordedAt: '2026-01-01T00:00:00Z',
    v: 1,
  },
});

test('a dead letter is reported with its last error and fingerprint', () => {
  const report = messageDeadLettered(message('Baked'), rejection);
  const { id, timestamp, ...fields } = JSON.parse(JSON.stringify(report)) as Record<string, unknown>;
  assert.match(String(id), /^[0-9a-f-]{36}$/);
  assert.match(String(timestamp), /Z$/);
  assert.equal(fields, {
    messageId: '018f0000-0000-7000-8000-0000000000aa',
    messageType: 'Baked',
    destination: 'svc.events.Baked',
    attempts: 5,
    lastError: 'RangeError: too large',
    fingerprint: '0123456789ab',
  });
});

test('an audit that becomes a dead letter is reported', () => {
  assert.ok(messageDeadLettered(message('EventAudited'), rejection));
});

test('an error event that becomes a dead letter is not reported by another error event', () => {
  for (const type of ['MessageDeadLettered', 'CommandFailed', 'HookFailed', 'PerspectiveFailed'])
    assert.is(messageDeadLettered(message(type), rejection), undefined);
});
