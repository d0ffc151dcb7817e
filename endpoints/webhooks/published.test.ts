import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { CommandAudited } from '../../contracts/events/audited.js';
import { Event } from '../../contracts/message.js';
import { Permission } from '../../contracts/permission.js';
import { suite } from '../../contracts/testing/suite.js';
import { storedEvent } from '../../runtime/kit/stored-event.js';
import { published } from './published.js';
import { webhookSender } from './webhook-sender.js';

const test = suite('published events');

class Moved extends Event {
  to!: string;
  phone!: string;
}

const permission = Permission.read('people');
const moved = (init: object = {}) =>
  published(Moved, { type: 'person.moved', permission, of: ({ payload }) => ({ to: payload.to }), ...init });
const event = (more: object = {}): StoredEvent => ({
  ...storedEvent(Moved.of({ to: 'Rome', phone: '1' })),
  ...more,
});

test('nothing of an event leaves but what is mapped, and the body is the same each time', () => {
  const sender = webhookSender([moved()]);
  const [news, again] = [sender.newsOf(event()), sender.newsOf(event())];
  assert.equal(JSON.parse(news[0]?.body ?? '').data, { to: 'Rome' });
  assert.is(news[0]?.type, 'person.moved');
  assert.is(news[0]?.body, again[0]?.body);
});

test('what is mapped to undefined, and an event of another type, are not published', () => {
  assert.equal(webhookSender([moved({ of: () => undefined })]).newsOf(event()), []);
  assert.equal(webhookSender([moved()]).newsOf(event({ messageType: 'Stayed' })), []);
});

test('values of subjects leave as null, whether they arrive sealed or opened', () => {
  const sender = webhookSender([
    moved({ of: ({ payload: { to, phone } }: StoredEvent<Moved>) => ({ to, phone }) }),
  ]);
  const sealed = { to: 'Rome', phone: 'svc:sealed:1:x' };
  for (const one of [event({ payload: sealed }), event({ sealed: ['phone'] })])
    assert.equal(JSON.parse(sender.newsOf(one)[0]?.body ?? '').data, { to: 'Rome', phone: null });
});

test('more than 48 KiB is refused', () => {
  const sender = webhookSender([moved({ of: () => 'x'.repeat(48 * 1_024) })]);
  assert.throws(() => sender.newsOf(event()), /publish ids of what is bigger/);
});

test('the id of a delivery depends on event, type and webhook alone', () => {
  const sender = webhookSender([moved()]);
  const news = { eventId: 'one', type: 'person.moved', body: '{}', key: 'a' };
  const idOf = (webhookId: string, more = {}) =>
    sender.requestFor(webhookId, { ...news, ...more }).deliveryId;
  assert.is(idOf('a', { body: 'other', key: 'b' }), idOf('a'));
  assert.is(new Set([idOf('a'), idOf('b'), idOf('a', { eventId: 'two' })]).size, 3);
});

test('system events, other characters in a type, and one type twice are refused', () => {
  assert.throws(() => published(CommandAudited, { type: 'a', permission, of: () => ({}) }), /system event/);
  for (const type of ['Person.Moved', 'webhook.test', '', 'a b'])
    assert.throws(() => moved({ type }), /must have up to 100 of the characters/);
  assert.throws(() => webhookSender([moved(), moved()]), /one type twice/);
});
