import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { isNamespace, NatsNames } from './nats-names.js';

const test = suite('names at the broker');

const names = new NatsNames();

test('domain events are in one stream, system messages and audits in another', () => {
  assert.is(names.streamOf(['svc.events.Baked', 'svc.events.Sold']), 'SVC_EVENTS');
  assert.is(names.streamOf(['svc.events.>']), 'SVC_EVENTS');
  assert.is(names.streamOf(['svc.system.>', 'svc.core.auditevents']), 'SVC_SYSTEM');
});

test('a subscription to subjects of two streams, of no stream, or to no subjects is rejected', () => {
  for (const subjects of [['svc.events.>', 'svc.system.>'], ['orders.>'], ['>'], []])
    assert.throws(() => names.streamOf(subjects), /subjects of one stream/);
});

test('a destination is stored by one stream', () => {
  assert.is(names.streamFor('svc.events.Baked'), 'SVC_EVENTS');
  assert.is(names.streamFor('svc.core.auditevents'), 'SVC_SYSTEM');
  assert.is(names.streamFor('orders.Baked'), undefined);
});

test('a namespace takes the place of svc in subjects and consumers and, in capitals, in streams', () => {
  const staging = new NatsNames('acme-2');
  assert.is(staging.subjectOf('svc.events.Baked'), 'acme-2.events.Baked');
  assert.is(staging.destinationOf('acme-2.events.Baked'), 'svc.events.Baked');
  assert.is(staging.destinationOf('acme-22.events.Baked'), 'acme-22.events.Baked');
  assert.is(staging.consumerOf('svc-1-events-2'), 'acme-2-1-events-2');
  assert.equal(staging.streams, [
    { name: 'ACME-2_EVENTS', subjects: ['acme-2.events.>'] },
    { name: 'ACME-2_SYSTEM', subjects: ['acme-2.system.>', 'acme-2.core.auditevents'] },
  ]);
  assert.is(staging.streamOf(['svc.events.>']), 'ACME-2_EVENTS');
  assert.is(staging.streamFor('svc.core.auditevents'), 'ACME-2_SYSTEM');
});

test('without one, every name stays as it is', () => {
  for (const name of ['svc.events.Baked', 'svc.core.auditevents']) {
    assert.is(names.subjectOf(name), name);
    assert.is(names.destinationOf(name), name);
  }
  assert.is(names.consumerOf('svc-1-events-2'), 'svc-1-events-2');
});

test('it has lower-case letters, digits and -', () => {
  for (const good of ['svc', 'acme-2', '7']) assert.ok(isNamespace(good), good);
  for (const bad of ['', 'Acme', 'a.b', 'a_b', 'a b', 'a>', '*', 'x'.repeat(33)])
    assert.not(isNamespace(bad), bad);
});
