import * as assert from 'uvu/assert';
import { SystemEvent } from '../../contracts/message.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { systemEnvelope } from '../envelope/system-envelope.js';
import { SystemEventTransportFilter } from './system-event-filter.js';
import { filterOnlyOwnMessages } from './filter-only-own-messages.js';

const test = suite('own messages filter');

class Noise extends SystemEvent {}

const options = new SystemEventOptions();
const filter = filterOnlyOwnMessages(new SystemEventTransportFilter(options), 'north');
const writtenBy = (host?: string) => ({ ...systemEnvelope(new Noise()), ...(host ? { host } : {}) });

test('a local-only host holds back its own system messages, and publishes what another host marked', () => {
  assert.not(filter.shouldPublishToTransport(writtenBy('north')));
  assert.not(filter.shouldPublishToTransport(writtenBy()));
  assert.ok(filter.shouldPublishToTransport(writtenBy('south')));
});

test('this host decides what may be received', () => {
  assert.not(filter.shouldReceiveFromTransport('EventAudited'));
  options.broadcast();
  assert.ok(filter.shouldReceiveFromTransport('EventAudited'));
  assert.ok(filter.shouldPublishToTransport(writtenBy('north')));
});
