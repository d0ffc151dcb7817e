import * as assert from 'uvu/assert';
import { AuditEvent } from '../../contracts/audit.js';
import { EventAudited } from '../../contracts/events/audited.js';
import { type Envelope, Event, SystemEvent } from '../../contracts/message.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { AuditPolicy } from './audit-policy.js';

const test = suite('audit policy');

class Plain extends Event {}

@AuditEvent({ reason: 'It counts.', level: 'Critical' })
class Marked extends Event {}

class Heir extends Marked {}

@AuditEvent({ exclude: true })
class Hidden extends Event {}

class Noise extends SystemEvent {}

const of = (payload: unknown, messageType: string): Envelope => ({
  messageId: newUuid(),
  messageType,
  payload,
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});
const policy = (options = new SystemEventOptions().enableEventAudit()) => new AuditPolicy(options);

test('opting out audits everything but what is excluded', () => {
  assert.is(policy().isEventAudited(of(new Plain(), 'Plain')), true);
  assert.is(policy().isEventAudited(of(new Marked(), 'Marked')), true);
  assert.is(policy().isEventAudited(of(new Hidden(), 'Hidden')), false);
});

test('opting in audits only what is marked, and what extends it', () => {
  const options = new SystemEventOptions().enableEventAudit();
  options.auditMode = 'OptIn';
  assert.is(policy(options).isEventAudited(of(new Plain(), 'Plain')), false);
  assert.is(policy(options).isEventAudited(of(new Marked(), 'Marked')), true);
  assert.is(policy(options).isEventAudited(of(new Heir(), 'Heir')), true);
  assert.is(policy(options).isEventAudited(of(new Hidden(), 'Hidden')), false);
});

test('nothing is audited until event audit is enabled', () => {
  assert.is(policy(new SystemEventOptions()).isEventAudited(of(new Marked(), 'Marked')), false);
});

test('system messages are excluded, as class, name or instance', () => {
  assert.is(policy().isExcluded(EventAudited), true);
  assert.is(policy().isExcluded('EventAudited'), true);
  assert.is(policy().isExcluded(Noise), true);
  assert.is(policy().isEventAudited(of(new Noise(), 'Noise')), false);
  assert.is(policy().isEventAudited(of({}, 'EventAudited')), false);
});

test('plain data has the mark of the class known by its name', () => {
  const own = policy();
  assert.is(own.isEventAudited(of({}, 'Hidden')), true);
  own.register([Hidden, Marked, Noise]);
  assert.is(own.isEventAudited(of({}, 'Hidden')), false);
  assert.is(own.isExcluded('Noise'), true);
  assert.equal(own.markOf('Marked'), { exclude: false, reason: 'It counts.', level: 'Critical' });
  assert.is(own.markOf('Unknown'), undefined);
});

test('an object of a class that is not a message is judged by its wire name', () => {
  const own = policy();
  own.register([Hidden]);
  class HiddenData {}
  assert.is(own.isEventAudited(of(new HiddenData(), 'Hidden')), false);
});

test('a body with a redaction is recorded redacted, whatever the redaction returns', () => {
  const own = policy();
  own.redact(Plain, () => undefined);
  own.redact(Marked, () => ({ pin: '[redacted]' }));
  assert.is(own.bodyOf('Plain', { pin: 1 }), undefined);
  assert.equal(own.bodyOf('Marked', { pin: 1 }), { pin: '[redacted]' });
  assert.equal(own.bodyOf('Hidden', { pin: 1 }), { pin: 1 });
});

test('a system message may be published only while the host broadcasts', () => {
  const options = new SystemEventOptions();
  const own = policy(options);
  assert.is(own.mayPublish(new Noise()), false);
  options.broadcast();
  assert.is(own.mayPublish(new Noise()), true);
  assert.is(own.mayPublish(new Plain()), true);
});
