import * as assert from 'uvu/assert';
import { CommandAudited, EventAudited } from '../../contracts/events/audited.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { systemEnvelope } from '../envelope/system-envelope.js';
import { auditPayloadOf } from './audit-payload.js';

const test = suite('audit payload');
const id = newUuid();
const who = { tenantId: 'acme', userId: 'ada', correlationId: 'c', causationId: 'd' };
const mark = { auditReason: 'r', auditLevel: 'Critical' } as const;
const timestamp = '2026-03-01T09:30:00Z';
const recordedAt = '2026-03-01T09:30:00.123456Z';

test('the payload of an EventAudited has the twelve identifying fields, the time of the commit, and never the body or the scope', () => {
  const audited = new EventAudited({
    id,
    originalEventId: id,
    originalEventType: 'ShopOpened',
    originalStreamId: id,
    originalStreamPosition: 3,
    originalBody: { secret: true },
    timestamp,
    ...who,
    ...mark,
    scope: { tenantId: 'acme' },
  });
  const { originalBody: _, scope: __, ...rest } = audited;
  assert.equal(auditPayloadOf({ envelope: systemEnvelope(audited), publish: false, recordedAt }), {
    ...rest,
    timestamp: recordedAt,
  });
});

test('the payload of a CommandAudited has the twelve identifying fields, and never the body or the scope', () => {
  const audited = new CommandAudited({
    id,
    commandType: 'OpenShop',
    commandBody: { secret: true },
    timestamp,
    ...who,
    userName: 'Ada',
    ...mark,
    receptorName: 'Opener',
    responseType: 'OpenShopResult',
    scope: { tenantId: 'acme' },
  });
  const { commandBody: _, scope: __, ...rest } = audited;
  assert.equal(auditPayloadOf({ envelope: systemEnvelope(audited), publish: false, recordedAt }), {
    ...rest,
    timestamp: recordedAt,
  });
});

test('absent fields are left out', () => {
  const audited = new CommandAudited({ id, commandType: 'OpenShop', commandBody: {}, timestamp });
  assert.equal(Object.keys(auditPayloadOf({ envelope: systemEnvelope(audited), publish: false }) ?? {}), [
    'id',
    'commandType',
    'timestamp',
    'auditLevel',
  ]);
});

test('the position is the one that the commit assigned to the event', () => {
  const audited = new EventAudited({
    originalEventType: 'ShopOpened',
    originalStreamId: id,
    originalStreamPosition: 0,
    originalBody: {},
    timestamp,
  });
  const envelope = systemEnvelope(audited);
  const of = { streamId: id, envelope, position: 41 };
  assert.is(auditPayloadOf({ envelope, of, publish: false })?.['originalStreamPosition'], 41);
});

test('any other system message has no audit payload', () => {
  const envelope = { ...systemEnvelope({}), messageType: 'AccessDenied' };
  assert.is(auditPayloadOf({ envelope, publish: false }), undefined);
});
