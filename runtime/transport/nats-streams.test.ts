import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { faultOf, streamFor, streamOf } from './nats-streams.js';

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

test('a destination is stored by one stream', () => {
  assert.is(streamFor('svc.events.Baked'), 'SVC_EVENTS');
  assert.is(streamFor('svc.core.auditevents'), 'SVC_SYSTEM');
  assert.is(streamFor('orders.Baked'), undefined);
});

test('a stream with fewer than three replicas, or with one that is silent, has a fault with its remedy', () => {
  const stream = (num_replicas: number, peers: readonly object[] = []) =>
    ({ config: { name: 'SVC_EVENTS', num_replicas }, cluster: { replicas: peers } }) as unknown as Parameters<
      typeof faultOf
    >[0];
  assert.match(
    faultOf(stream(1)) ?? '',
    /is on 1 server of the cluster, not 3: run nats stream edit SVC_EVENTS/,
  );
  const [fresh, silent] = [1e6, 6e9];
  assert.is(faultOf(stream(3, [{ name: 'b', current: true, active: silent }])), undefined);
  assert.is(faultOf(stream(3, [{ name: 'b', current: false, active: fresh }])), undefined);
  assert.match(
    faultOf(stream(3, [{ name: 'b', current: false, active: silent }])) ?? '',
    /misses b: start it/,
  );
});
