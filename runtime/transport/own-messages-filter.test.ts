import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SystemEvent } from '../../contracts/message.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { systemEnvelope } from '../system-envelope.js';
import { SystemEventTransportFilter } from './filter.js';
import { ownMessagesFilter } from './own-messages-filter.js';

const test = suite('writers filter');

class Noise extends SystemEvent {}

const options = new SystemEventOptions();
const filter = ownMessagesFilter(new SystemEventTransportFilter(options), 'north');
const writtenBy = (host?: string) => ({ ...systemEnvelope(new Noise()), ...(host ? { host } : {}) });

test('a local-only host holds its own system messages back, and passes on what another one marked', () => {
  assert.not(filter.shouldPublishToTransport(writtenBy('north')));
  assert.not(filter.shouldPublishToTransport(writtenBy()));
  assert.ok(filter.shouldPublishToTransport(writtenBy('south')));
});

test('what may be received is for this host to say', () => {
  assert.not(filter.shouldReceiveFromTransport('EventAudited'));
  options.broadcast();
  assert.ok(filter.shouldReceiveFromTransport('EventAudited'));
  assert.ok(filter.shouldPublishToTransport(writtenBy('north')));
});

test.run();
