import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { newUuid } from '../../contracts/uuid.js';
import { ForeignStore, inbound, inboundBytes } from '../testing/foreign-events.js';
import { receivedDeadLetter, receivedDeadLetterReport } from './dead-letter.js';

const test = suite('received dead letter');

const problem = new Problem('forged-header', { detail: 'The header svc-host is not what the body says.' });

test('it keeps the message as it came, and why it cannot be taken', () => {
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

test('of a body that cannot be read the subject tells the type', () => {
  const letter = receivedDeadLetter(inboundBytes('svc.events.Baked', Buffer.from('x')), problem, undefined);
  assert.equal([letter.messageId, letter.messageType, letter.headers], [undefined, 'Baked', {}]);
  assert.is(receivedDeadLetterReport(letter)?.messageId, 'unknown');
});

test('an error event that cannot be taken is not told about: that would never end', () => {
  const letter = receivedDeadLetter(
    inboundBytes('svc.system.MessageDeadLettered', Buffer.from('x')),
    problem,
    undefined,
  );
  assert.is(receivedDeadLetterReport(letter), undefined);
});

test.run();
