import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { ForeignStore, inbound, inboundBytes } from '../testing/foreign-events.js';
import { receivedDeadLetter } from './received-dead-letter.js';

const test = suite('received dead letter');

const problem = new Problem('forged-header', { detail: 'The header svc-host contradicts the body.' });

test('it keeps the message as received, with the reason', () => {
  const event = new ForeignStore().event(newUuid());
  const message = inbound(event);
  const letter = receivedDeadLetter(message, problem, event);
  assert.equal(
    [letter.messageId, letter.messageType, letter.subject],
    [event.messageId, 'Baked', 'svc.events.Baked'],
  );
  assert.is(letter.body, message.body);
  assert.equal([letter.headers['svc-host'], letter.headers['svc-store']], ['far-away', event.store]);
  assert.match(letter.error, /^forged-header: /);
});

test('it keeps the signature: replayed, the message is still signed', () => {
  const headers = { 'svc-signature': 'AAAA', 'svc-key': 'ab'.repeat(32), 'x-other': 'no' };
  const event = new ForeignStore().event(newUuid());
  const kept = receivedDeadLetter(inbound(event, { headers }), problem, event).headers;
  assert.equal(
    [kept['svc-signature'], kept['svc-key'], kept['x-other']],
    ['AAAA', 'ab'.repeat(32), undefined],
  );
});

test('the type of an unreadable message comes from its subject', () => {
  const letter = receivedDeadLetter(inboundBytes('svc.events.Baked', Buffer.from('x')), problem, undefined);
  assert.equal([letter.messageId, letter.messageType, letter.headers], [undefined, 'Baked', {}]);
});
