import * as assert from 'uvu/assert';
import type { AuditContext, SystemEventEmitter } from './system-event-emitter.js';
import type { EventAudited } from './events/audited.js';
import type { StreamRewindStarted } from './events/perspective.js';
import type { Event } from './message.js';
import { suite } from './testing/suite.js';

const test = suite('emitter');

test('emit takes every system message and no domain event', () => {
  interface OrderCreated extends Event {
    readonly orderId: string;
  }
  type Emits<T> = T extends Parameters<SystemEventEmitter['emit']>[0] ? true : false;
  const audit: Emits<EventAudited> = true;
  const perspective: Emits<StreamRewindStarted> = true;
  const domain: Emits<OrderCreated> = false;
  assert.equal([audit, perspective, domain], [true, true, false]);
});

test('metadata of a context is a map or a plain object, and all of it may be absent', () => {
  const contexts: readonly AuditContext[] = [
    {},
    { metadata: new Map([['receptorName', 'CreateOrderReceptor']]) },
    { metadata: { receptorName: 'CreateOrderReceptor' }, correlationId: undefined, scope: { userId: null } },
  ];
  const needsNumber: { messageId: 7 } extends AuditContext ? true : false = false;
  assert.equal([contexts.length, needsNumber], [3, false]);
});
