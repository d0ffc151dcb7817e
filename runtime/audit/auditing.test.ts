import * as assert from 'uvu/assert';
import type { CommandAudited, EventAudited } from '../../contracts/events/audited.js';
import { Command, Event } from '../../contracts/message.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { Auditing } from './auditing.js';

const test = suite('auditing');

class OpenShop extends Command {}
class ShopOpened extends Event {}

const enabled = () => new SystemEventOptions().enableAudit();
const covering = (options: SystemEventOptions): Auditing => {
  const auditing = new Auditing(options);
  auditing.coverAppends();
  return auditing;
};
const opened = () => ({
  messageId: newUuid(),
  messageType: 'ShopOpened',
  payload: new ShopOpened(),
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});
const appended = () => ({ streamId: newUuid(), envelope: opened() });
const handled = () => ({ command: new OpenShop(), response: undefined, receptorName: 'Opener', context: {} });

test('the record of a staged event has its position beside it, filled in by the commit', () => {
  const event = appended();
  assert.is(covering(enabled()).recordOf(event)?.of, event);
  assert.is(covering(new SystemEventOptions()).recordOf(event), undefined);
});

test('appends are audited once the event store is decorated, commands always', () => {
  const auditing = new Auditing(enabled());
  assert.is(auditing.recordOf(appended()), undefined);
  assert.is(auditing.recordOf(handled())?.envelope.messageType, 'CommandAudited');
  auditing.coverAppends();
  assert.is(auditing.recordOf(appended())?.envelope.messageType, 'EventAudited');
});

test('the audit of a stored event has the position of the event', () => {
  const record = new Auditing(enabled()).recordOfStored(newUuid(), 7, opened());
  assert.is((record?.envelope.payload as EventAudited | undefined)?.originalStreamPosition, 7);
  assert.is(record?.of, undefined);
});

test('a command is audited with its receptor, and only while command audit is enabled', () => {
  const record = new Auditing(enabled()).recordOf(handled());
  assert.is((record?.envelope.payload as CommandAudited | undefined)?.receptorName, 'Opener');
  assert.is(new Auditing(new SystemEventOptions().enableEventAudit()).recordOf(handled()), undefined);
});
