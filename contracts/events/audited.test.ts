import * as assert from 'uvu/assert';
import { auditMarkOf } from '../audit.js';
import { SystemEvent } from '../message.js';
import { faultsOf } from '../record-class.js';
import { isUuid } from '../scalars.js';
import { suite } from '../testing/suite.js';
import { CommandAudited, EventAudited } from './audited.js';

const test = suite('events/audited');

const timestamp = '2026-03-01T09:30:00Z';
const orderCreated = {
  originalEventType: 'OrderCreated',
  originalStreamId: '0190b5d4-0000-7000-8000-000000000001',
  originalStreamPosition: 1,
  originalBody: { total: '12.50' },
  timestamp,
};
const createOrder = { commandType: 'CreateOrder', commandBody: { lineItems: [] }, timestamp };

const missingIn = (record: object): readonly string[] => faultsOf(record).map(({ path }) => path);

test('EventAudited records what was appended, where, and on whose behalf', () => {
  const audited = new EventAudited({
    scope: { tenantId: 'acme', userId: null },
    auditLevel: 'Critical',
    auditReason: 'Money moved',
    causationId: 'cause',
    correlationId: 'correlation',
    userId: 'ann',
    tenantId: 'acme',
    ...orderCreated,
    originalEventId: '0190b5d4-0000-7000-8000-000000000002',
  });
  assert.equal(Object.keys(audited), [
    'id',
    'originalEventId',
    'originalEventType',
    'originalStreamId',
    'originalStreamPosition',
    'originalBody',
    'timestamp',
    'tenantId',
    'userId',
    'correlationId',
    'causationId',
    'auditReason',
    'auditLevel',
    'scope',
  ]);
  assert.equal(faultsOf(audited), []);
});

test('EventAudited needs the event, its position, its body and its time', () => {
  assert.equal(missingIn(Reflect.construct(EventAudited, [{}])), [
    '/originalEventType',
    '/originalStreamId',
    '/originalStreamPosition',
    '/originalBody',
    '/timestamp',
  ]);
});

test('CommandAudited records what was requested, who handled it, and with which response', () => {
  const audited = new CommandAudited({
    scope: {},
    responseType: 'CreateOrderResult',
    receptorName: 'CreateOrderReceptor',
    auditLevel: 'Warning',
    auditReason: 'Large order',
    causationId: 'cause',
    correlationId: 'correlation',
    userName: 'Ann',
    userId: 'ann',
    tenantId: 'acme',
    ...createOrder,
  });
  assert.equal(Object.keys(audited), [
    'id',
    'commandType',
    'commandBody',
    'timestamp',
    'tenantId',
    'userId',
    'userName',
    'correlationId',
    'causationId',
    'auditReason',
    'auditLevel',
    'receptorName',
    'responseType',
    'scope',
  ]);
  assert.equal(faultsOf(audited), []);
});

test('CommandAudited needs the command, its body and its time', () => {
  assert.equal(missingIn(Reflect.construct(CommandAudited, [{}])), [
    '/commandType',
    '/commandBody',
    '/timestamp',
  ]);
});

test('an audit record has an id and the level Info by default', () => {
  for (const audited of [new EventAudited(orderCreated), new CommandAudited(createOrder)]) {
    assert.ok(isUuid(audited.id));
    assert.is(audited.auditLevel, 'Info');
    assert.not('scope' in audited);
  }
});

test('a body may be null, and scope values too', () => {
  const audited = new EventAudited({ ...orderCreated, originalBody: null, scope: { userId: null } });
  assert.is(audited.originalBody, null);
  assert.equal(audited.scope, { userId: null });
  assert.equal(faultsOf(audited), []);
});

test('a value of the wrong type is a fault', () => {
  const audited = Reflect.construct(EventAudited, [
    {
      originalEventId: 'x',
      originalEventType: 1,
      originalStreamId: 2,
      originalStreamPosition: 1.5,
      originalBody: () => 3,
      timestamp: 'now',
      auditLevel: 'Loud',
      scope: { roles: ['a'] },
    },
  ]);
  assert.equal(faultsOf(audited), [
    { path: '/originalEventId', message: 'must be a UUID' },
    { path: '/originalEventType', message: 'must be a string' },
    { path: '/originalStreamId', message: 'must be a string' },
    { path: '/originalStreamPosition', message: 'must be an integer' },
    { path: '/originalBody', message: 'must be a JSON value' },
    { path: '/timestamp', message: 'must be an ISO 8601 timestamp with offset' },
    { path: '/auditLevel', message: 'must be one of Info, Warning, Critical' },
    { path: '/scope/roles', message: 'must be a string or null' },
  ]);
});

test('audit records are system events that are never audited themselves', () => {
  for (const type of [EventAudited, CommandAudited]) {
    assert.ok(type.prototype instanceof SystemEvent);
    const mark = auditMarkOf(type);
    assert.is(mark?.exclude, true);
    assert.ok(mark?.reason);
  }
  assert.is(new EventAudited(orderCreated).constructor.name, 'EventAudited');
});
