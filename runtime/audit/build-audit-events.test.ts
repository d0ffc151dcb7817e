import * as assert from 'uvu/assert';
import { Command, Event } from '../../contracts/message.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { AuditPolicy } from './audit-policy.js';
import {
  buildCommandAudited,
  buildEventAudited,
  receptorNameOf,
  responseTypeOf,
} from './build-audit-events.js';

const test = suite('build audited');

class OpenShop extends Command {
  pin!: string;
}
class SendLetterCommand extends Command {}
class ShopOpened extends Event {
  pin!: string;
}
class Receipt {}

const policy = new AuditPolicy(new SystemEventOptions());
const stream = newUuid();
const envelope = {
  messageId: newUuid(),
  messageType: 'ShopOpened',
  payload: ShopOpened.of({ pin: '1' }),
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
};

test('an EventAudited has its own id and the id of its event', () => {
  const audited = buildEventAudited(envelope, stream, 3, policy);
  assert.is(audited.originalEventId, envelope.messageId);
  assert.is.not(audited.id, envelope.messageId);
  assert.is(audited.originalStreamPosition, 3);
  assert.is(audited.auditLevel, 'Info');
});

test('a null in the scope is neither tenant nor user, but stays in the scope', () => {
  const audited = buildEventAudited({ ...envelope, scope: { tenantId: null } }, stream, 1, policy);
  assert.not('tenantId' in audited);
  assert.equal(audited.scope, { tenantId: null });
});

test('an event without a payload has the body null', () => {
  assert.is(buildEventAudited({ ...envelope, payload: undefined }, stream, 1, policy).originalBody, null);
});

test('sensitive fields are redacted in both audits', () => {
  const redacting = new AuditPolicy(new SystemEventOptions());
  for (const type of [ShopOpened, OpenShop]) redacting.redact(type, () => ({ pin: '[redacted]' }));
  assert.equal(buildEventAudited(envelope, stream, 1, redacting).originalBody, { pin: '[redacted]' });
  const command = buildCommandAudited(OpenShop.of({ pin: '1' }), undefined, 'r', {}, redacting);
  assert.equal(command.commandBody, { pin: '[redacted]' });
});

test('the name of a user comes from the scope, or from the identity of the caller', () => {
  const scope = { userName: 'Ada Lovelace', userId: 'ada' };
  const audited = buildCommandAudited(OpenShop.of({ pin: '1' }), 'R', 'r', { scope }, policy);
  assert.is(audited.userName, 'Ada Lovelace');
  assert.is(audited.userId, 'ada');
  const named = { scope: { userId: 'ada' }, userName: 'Ada L.' };
  assert.is(buildCommandAudited(OpenShop.of({ pin: '1' }), 'R', 'r', named, policy).userName, 'Ada L.');
});

test('what sent a command by itself stands in the scope of its audit', () => {
  const origin = { scope: { tenantId: 'north' }, by: 'reserve-stock' };
  const { scope } = buildCommandAudited(OpenShop.of({ pin: '1' }), 'R', 'r', origin, policy);
  assert.equal(scope, { tenantId: 'north', by: 'reserve-stock' });
});

test('the receptor is taken from the metadata, or named after the command', () => {
  const command = new SendLetterCommand();
  assert.is(receptorNameOf(command, { receptorName: 'Postman' }), 'Postman');
  assert.is(receptorNameOf(command, new Map([['receptorName', 'Postman']])), 'Postman');
  for (const metadata of [undefined, {}, new Map(), { receptorName: '' }, { receptorName: 5 }])
    assert.is(receptorNameOf(command, metadata), 'SendLetterReceptor');
  assert.is(receptorNameOf(OpenShop.of({ pin: '' }), undefined), 'OpenShopReceptor');
});

test('the response type is the declared name where it is known', () => {
  const command = OpenShop.of({ pin: '1' });
  assert.is(responseTypeOf(command, {}, { responseType: 'Receipt' }), 'Receipt');
  assert.is(responseTypeOf(command, [], new Map([['responseType', 'Receipts']])), 'Receipts');
  assert.is(responseTypeOf(command, null, { responseType: 'Receipt' }), 'Receipt');
});

test('without a declared name it is the class of the response, or a name made from the command for an anonymous one', () => {
  const command = OpenShop.of({ pin: '1' });
  assert.is(responseTypeOf(command, new Receipt(), undefined), 'Receipt');
  for (const anonymous of [{}, [], Object.create(null), { constructor: Receipt }])
    assert.is(responseTypeOf(command, anonymous, {}), 'OpenShopResult');
  assert.is(responseTypeOf(command, 'done', {}), 'string');
  assert.is(responseTypeOf(command, 0, {}), 'number');
});

test('a command without a result has no response type', () => {
  assert.is(responseTypeOf(OpenShop.of({ pin: '1' }), undefined, { responseType: 'Receipt' }), undefined);
  assert.is(responseTypeOf(OpenShop.of({ pin: '1' }), null, {}), undefined);
});
