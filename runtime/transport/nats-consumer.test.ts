import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { consumerOf, durableName } from './nats-consumer.js';
import { NatsNames } from './nats-names.js';

const test = suite('nats consumer');

const atBroker = new NatsNames();

test('a name that the broker accepts is unchanged', () => {
  assert.is(durableName('monitor-1_a'), 'monitor-1_a');
});

test('any other name becomes a valid one that is stable and unique', () => {
  const names = ['', 'a.b', 'a b', 'a>b', 'a*b', 'ü', '日本', 'a/b', 'x'.repeat(300), 'x'.repeat(301)];
  const durables = names.map(durableName);
  assert.is(new Set(durables).size, names.length);
  for (const durable of durables) assert.match(durable, /^[A-Za-z0-9_-]{1,120}$/);
  assert.equal(names.map(durableName), durables);
});

test('the broker filters one subject, we filter several', () => {
  const request = { name: 'shop', handle: () => Promise.resolve([]) };
  assert.is(consumerOf({ ...request, subjects: ['svc.events.Baked'] }, atBroker).filter, 'svc.events.Baked');
  assert.is(
    consumerOf({ ...request, subjects: ['svc.events.Baked', 'svc.events.Sold'] }, atBroker).filter,
    undefined,
  );
});
