import * as assert from 'uvu/assert';
import { auditMarkOf } from '../audit.js';
import { SystemEvent } from '../message.js';
import { Problem } from '../problems.js';
import { faultsOf } from '../record-class.js';
import { suite } from '../testing/suite.js';
import { CommandFailed, HookFailed, MessageDeadLettered, PerspectiveFailed } from './error.js';

const test = suite('events/error');

const id = '0190b5d4-0000-7000-8000-000000000001';
const timestamp = '2026-03-01T09:30:00Z';

const missingIn = (record: object): readonly string[] => faultsOf(record).map(({ path }) => path);

test('CommandFailed records which command failed, why, and whether the error-hook recovered', () => {
  const failed = new CommandFailed({
    userId: 'ann',
    tenantId: 'acme',
    causationId: 'cause',
    correlationId: 'correlation',
    recovered: true,
    error: { name: 'CarrierDown', message: 'no carrier' },
    receptorName: 'ShipOrderReceptor',
    commandType: 'ShipOrder',
    timestamp,
  });
  assert.equal(Object.keys(failed), [
    'id',
    'commandType',
    'receptorName',
    'error',
    'recovered',
    'correlationId',
    'causationId',
    'tenantId',
    'userId',
    'timestamp',
  ]);
  assert.equal(faultsOf(failed), []);
});

test('an error event takes an Error as it is and keeps its name, message and code', () => {
  const failed = { commandType: 'ShipOrder', recovered: false, timestamp };
  const problem = new CommandFailed({ ...failed, error: new Problem('overloaded', { detail: 'Busy.' }) });
  const plain = new CommandFailed({ ...failed, error: new RangeError('out of range') });
  assert.equal(problem.error, { name: 'Problem', message: 'Busy.', code: 'overloaded' });
  assert.equal(plain.error, { name: 'RangeError', message: 'out of range' });
});

test('HookFailed records which hook of which endpoint threw', () => {
  const failed = {
    id,
    hook: 'onAfterExecute',
    endpoint: 'ShipOrderEndpoint',
    error: { name: 'TypeError', message: 'mail is undefined' },
    correlationId: 'correlation',
    timestamp,
  };
  assert.is(JSON.stringify(new HookFailed(failed)), JSON.stringify(failed));
  assert.equal(faultsOf(new HookFailed(failed)), []);
});

test('PerspectiveFailed records which event a perspective could not apply', () => {
  const error = { name: 'TypeError', message: 'total is undefined', code: undefined };
  const failed = new PerspectiveFailed({
    id,
    perspectiveName: 'orders',
    streamId: id,
    eventId: id,
    error,
    attempt: 3,
    timestamp,
  });
  assert.equal(Object.keys(failed), [
    'id',
    'perspectiveName',
    'streamId',
    'eventId',
    'error',
    'attempt',
    'timestamp',
  ]);
  assert.not('code' in failed.error);
  assert.equal(faultsOf(failed), []);
});

test('MessageDeadLettered records which message was given up, and after how many attempts', () => {
  const dead = {
    id,
    messageId: id,
    messageType: 'OrderCreated',
    destination: 'svc.events.OrderCreated',
    attempts: 5,
    lastError: 'message-too-large',
    fingerprint: 'b1946ac9',
    timestamp,
  };
  assert.is(JSON.stringify(new MessageDeadLettered(dead)), JSON.stringify(dead));
  assert.equal(faultsOf(new MessageDeadLettered(dead)), []);
});

test('an error event needs the fields that identify the failure; context ids may be absent', () => {
  assert.equal(missingIn(Reflect.construct(CommandFailed, [{}])), [
    '/commandType',
    '/error',
    '/recovered',
    '/timestamp',
  ]);
  assert.equal(missingIn(Reflect.construct(HookFailed, [{}])), ['/hook', '/error', '/timestamp']);
  assert.equal(missingIn(Reflect.construct(PerspectiveFailed, [{}])), [
    '/perspectiveName',
    '/error',
    '/attempt',
    '/timestamp',
  ]);
  assert.equal(missingIn(Reflect.construct(MessageDeadLettered, [{}])), [
    '/messageId',
    '/messageType',
    '/destination',
    '/attempts',
    '/lastError',
    '/fingerprint',
    '/timestamp',
  ]);
});

test('a value of the wrong type is a fault', () => {
  const failed = Reflect.construct(PerspectiveFailed, [
    {
      perspectiveName: 1,
      streamId: 'x',
      eventId: 'y',
      error: { name: 'E', code: 7 },
      attempt: '3',
      timestamp: 0,
    },
  ]);
  assert.equal(faultsOf(failed), [
    { path: '/perspectiveName', message: 'must be a string' },
    { path: '/streamId', message: 'must be a UUID' },
    { path: '/eventId', message: 'must be a UUID' },
    { path: '/error/message', message: 'is required' },
    { path: '/error/code', message: 'must be a string' },
    { path: '/attempt', message: 'must be a 32-bit integer' },
    { path: '/timestamp', message: 'must be an ISO 8601 timestamp with offset' },
  ]);
});

test('error events are system events that are never audited', () => {
  for (const type of [CommandFailed, HookFailed, PerspectiveFailed, MessageDeadLettered]) {
    assert.ok(type.prototype instanceof SystemEvent, type.name);
    assert.is(auditMarkOf(type)?.exclude, true, type.name);
  }
});
