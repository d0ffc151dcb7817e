import * as assert from 'uvu/assert';
import { AuditEvent, auditMarkOf, AuditLevel, AuditMode, AuditTopic } from './audit.js';
import { Event } from './message.js';
import { suite } from './testing/suite.js';

const test = suite('audit');

@AuditEvent({ reason: 'Money moved', level: 'Critical' })
class PaymentTaken extends Event {}

class CardPaymentTaken extends PaymentTaken {}

@AuditEvent({ exclude: true })
class TestPaymentTaken extends CardPaymentTaken {}

@AuditEvent()
class OrderCreated extends Event {}

test('@AuditEvent marks a class with a reason and a level', () => {
  assert.equal(auditMarkOf(PaymentTaken), { exclude: false, reason: 'Money moved', level: 'Critical' });
});

test('a bare @AuditEvent includes the class at level Info', () => {
  assert.equal(auditMarkOf(OrderCreated), { exclude: false, reason: undefined, level: 'Info' });
});

test('a class inherits the mark of its base class until it has its own', () => {
  assert.is(auditMarkOf(CardPaymentTaken), auditMarkOf(PaymentTaken));
  assert.is(auditMarkOf(TestPaymentTaken)?.exclude, true);
});

test('a class without @AuditEvent has no mark', () => {
  class OrderShipped extends Event {}
  assert.is(auditMarkOf(OrderShipped), undefined);
  assert.is(auditMarkOf(Event), undefined);
});

test('a marked class keeps its name and its identity', () => {
  assert.is(PaymentTaken.name, 'PaymentTaken');
  assert.is(new CardPaymentTaken().constructor, CardPaymentTaken);
});

test('modes, levels and the topic read as in the specification', () => {
  assert.equal(Object.values(AuditMode), ['OptOut', 'OptIn']);
  assert.equal(Object.values(AuditLevel), ['Info', 'Warning', 'Critical']);
  assert.is(AuditTopic, 'svc.core.auditevents');
});
