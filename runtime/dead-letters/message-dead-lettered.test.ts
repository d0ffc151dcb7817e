import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { messageDeadLettered } from './message-dead-lettered.js';

const test = suite('dead letter report');

const letter = (messageType: string) => ({
  messageId: '018f0000-0000-7000-8000-0000000000aa',
  messageType,
  destination: `svc.events.${messageType}`,
  attempts: 5,
  lastError: 'RangeError: too large',
  fingerprint: '0123456789ab',
});

test('a dead letter is reported with its last error and fingerprint', () => {
  const report = messageDeadLettered(letter('Baked'));
  const { id, timestamp, ...fields } = JSON.parse(JSON.stringify(report)) as Record<string, unknown>;
  assert.match(String(id), /^[0-9a-f-]{36}$/);
  assert.match(String(timestamp), /Z$/);
  assert.equal(fields, letter('Baked'));
});

test('an audit that becomes a dead letter is reported', () => {
  assert.ok(messageDeadLettered(letter('EventAudited')));
});

test('an error event that becomes a dead letter is not reported by another error event', () => {
  for (const type of ['MessageDeadLettered', 'CommandFailed', 'HookFailed', 'PerspectiveFailed'])
    assert.is(messageDeadLettered(letter(type)), undefined);
});
