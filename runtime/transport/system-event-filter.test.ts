import * as assert from 'uvu/assert';
import { CommandAudited } from '../../contracts/events/audited.js';
import { type Envelope, Event, SystemEvent } from '../../contracts/message.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { systemEnvelope } from '../envelope/system-envelope.js';
import { SystemEventTransportFilter } from './system-event-filter.js';

const test = suite('transport filter');

class ShopOpened extends Event {
  messageType = 'a field of an event may be called so';
}
class Noise extends SystemEvent {}

const options = new SystemEventOptions();
const filter = new SystemEventTransportFilter(options);
const plain = (envelope: Envelope): Envelope => JSON.parse(JSON.stringify(envelope)) as Envelope;
const envelope = (payload: unknown, messageType: string): Envelope => ({
  messageId: newUuid(),
  messageType,
  payload,
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});

test('an envelope is judged by its payload, also after it was sent as JSON', () => {
  assert.is(filter.shouldPublishToTransport(systemEnvelope(new Noise())), false);
  assert.is(filter.shouldPublishToTransport(plain(systemEnvelope(new Noise()))), false);
  assert.is(filter.shouldPublishToTransport(plain(envelope({}, 'CommandAudited'))), false);
  assert.is(filter.shouldPublishToTransport(plain(envelope({}, 'ShopOpened'))), true);
});

test('an event with a field called messageType is still an event', () => {
  assert.is(filter.shouldPublishToTransport(new ShopOpened()), true);
});

test('a subclass of a system message is a system message', () => {
  class Louder extends CommandAudited {}
  assert.is(filter.shouldReceiveFromTransport(Louder), false);
});

test('a system event of the service is recognized by its name too', () => {
  class MySys extends SystemEvent {}
  assert.is(filter.shouldReceiveFromTransport(MySys), false);
  assert.is(filter.shouldReceiveFromTransport('MySys'), false);
  class Emitted extends SystemEvent {}
  assert.is(filter.shouldPublishToTransport(new Emitted()), false);
  assert.is(filter.shouldReceiveFromTransport('Emitted'), false);
  assert.is(filter.shouldReceiveFromTransport('ShopOpened'), true);
});

test('it follows its options', () => {
  options.broadcast();
  assert.is(filter.shouldPublishToTransport(systemEnvelope(new Noise())), true);
  assert.is(filter.shouldReceiveFromTransport('CommandAudited'), true);
  options.localOnly = true;
  assert.is(filter.shouldReceiveFromTransport('CommandAudited'), false);
});

test('a missing message or type is an error', () => {
  assert.throws(() => filter.shouldPublishToTransport(undefined as never), /is missing/);
  assert.throws(() => filter.shouldReceiveFromTransport(undefined as never), /is missing/);
});
