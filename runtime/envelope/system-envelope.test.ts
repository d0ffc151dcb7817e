import * as assert from 'uvu/assert';
import { MigrationBatchStarted } from '../../contracts/events/migration.js';
import { HookFailed } from '../../contracts/events/error.js';
import { SystemEvent } from '../../contracts/message.js';
import { isUuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { systemEnvelope } from './system-envelope.js';

const test = suite('system envelope');

class Noise extends SystemEvent {
  static readonly version = 3;
}

test('it belongs to the system stream and inherits the origin of its message', () => {
  const origin = { correlationId: 'c', causationId: 'd', traceparent: 't', scope: { tenantId: 'acme' } };
  const { messageId, timestamp, payload, ...rest } = systemEnvelope(new Noise(), origin);
  assert.ok(isUuid(messageId));
  assert.ok(Date.parse(timestamp) > 0);
  assert.instance(payload, Noise);
  assert.equal(rest, {
    messageType: 'Noise',
    streamId: '00000000-0000-0000-0000-000000000001',
    ...origin,
    v: 3,
  });
});

test('its id is the id of the message if it has one', () => {
  const failed = new HookFailed({
    hook: 'defer',
    error: { name: 'E', message: 'm' },
    timestamp: '2026-03-01T09:30:00Z',
  });
  assert.is(systemEnvelope(failed).messageId, failed.id);
});

test('a message without an id gets a new one each time; the id of a run is not the id of a message', () => {
  const streamId = newUuid();
  const started = new MigrationBatchStarted({
    streamId,
    libraryVersion: '1',
    totalMigrations: 0,
    totalPerspectives: 0,
  });
  const ids = [systemEnvelope(started).messageId, systemEnvelope(started).messageId, streamId];
  assert.is(new Set(ids).size, 3);
});
