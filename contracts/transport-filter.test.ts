import * as assert from 'uvu/assert';
import type { EventAudited } from './events/audited.js';
import type { Envelope, Event } from './message.js';
import { suite } from './testing/suite.js';
import type { TransportPublishFilter } from './transport-filter.js';

const test = suite('transport-filter');

test('a message to publish is an envelope or an instance, never a name', () => {
  type Publishes<T> = T extends Parameters<TransportPublishFilter['shouldPublishToTransport']>[0]
    ? true
    : false;
  const envelope: Publishes<Envelope> = true;
  const instance: Publishes<Event> = true;
  const name: Publishes<'EventAudited'> = false;
  assert.equal([envelope, instance, name], [true, true, false]);
});

test('a type to receive is a class or its wire name, never an instance', () => {
  type Receives<T> = T extends Parameters<TransportPublishFilter['shouldReceiveFromTransport']>[0]
    ? true
    : false;
  const byClass: Receives<typeof EventAudited> = true;
  const byName: Receives<'EventAudited'> = true;
  const instance: Receives<EventAudited> = false;
  assert.equal([byClass, byName, instance], [true, true, false]);
});
