import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { faultOf } from './nats-streams.js';

const test = suite('nats streams');

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
