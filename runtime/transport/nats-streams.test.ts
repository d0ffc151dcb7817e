import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { streamOf } from './nats-streams.js';

const test = suite('nats streams');

test('domain events are in one stream, system messages and audits in another', () => {
  assert.is(streamOf(['svc.events.Baked', 'svc.events.Sold']), 'SVC_EVENTS');
  assert.is(streamOf(['svc.events.>']), 'SVC_EVENTS');
  assert.is(streamOf(['svc.system.>', 'svc.core.auditevents']), 'SVC_SYSTEM');
});

test('a subscription to subjects of two streams, of no stream, or to no subjects is rejected', () => {
  for (const subjects of [['svc.events.>', 'svc.system.>'], ['orders.>'], ['>'], []])
    assert.throws(() => streamOf(subjects), /subjects of one stream/);
});

test.run();
