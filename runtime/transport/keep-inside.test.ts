import * as assert from 'uvu/assert';
import { Event, SystemEvent } from '../../contracts/message.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { ForeignStore } from '../testing/foreign-events.js';
import { filterOnlyOwnMessages } from './filter-only-own-messages.js';
import { keepInside } from './keep-inside.js';
import { SystemEventTransportFilter } from './system-event-filter.js';

const test = suite('events that stay inside');

class ApprovalAsked extends Event {}
class OrderPaid extends Event {}

const options = new SystemEventOptions();
const own = filterOnlyOwnMessages(new SystemEventTransportFilter(options), 'north');
const filter = keepInside(own, [ApprovalAsked]);

test('an event that stays inside is not published, whichever host has written it', () => {
  const written = (messageType: string, host: string) =>
    new ForeignStore().event('018f0000-0000-7000-8000-000000000001', { messageType, host });
  for (const host of ['north', 'south']) {
    assert.not(filter.shouldPublishToTransport(written('ApprovalAsked', host)));
    assert.ok(filter.shouldPublishToTransport(written('OrderPaid', host)));
  }
  assert.not(filter.shouldPublishToTransport(new ApprovalAsked()));
  assert.ok(filter.shouldPublishToTransport(new OrderPaid()));
});

test('all else is as the filter says', () => {
  assert.is(keepInside(own, []), own);
  assert.not(filter.shouldReceiveFromTransport(SystemEvent));
  options.broadcast();
  assert.ok(filter.shouldReceiveFromTransport(SystemEvent));
});
