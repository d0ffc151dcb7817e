import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from 'svc-runtime';
import { scopeFrom, ticketFrom } from './received-email.js';

const test = suite('received e-mail');

const data = {
  from: 'Eve@home.example',
  to: 'support@north.example',
  subject: ' Printer ',
  text: 'It is off.',
};
const received = (more: object = {}) => ({ type: 'email.received', data: { ...data, ...more } });

test('an e-mail opens a ticket of its sender at the tenant it was sent to', () => {
  const ticket = ticketFrom(received());
  assert.equal([ticket?.subject, ticket?.text], ['Printer', 'It is off.']);
  assert.equal(scopeFrom(received()), { tenantId: 'north', userId: 'eve@home.example' });
});

test('a long e-mail is cut to what a ticket holds, and one without a subject gets one', () => {
  const ticket = ticketFrom(received({ subject: 'x'.repeat(300), text: 'y'.repeat(20_000) }));
  assert.equal([ticket?.subject.length, ticket?.text.length], [200, 10_000]);
  assert.is(ticketFrom(received({ subject: ' ' }))?.subject, 'Without a subject');
});

test('other reports, and e-mails to nobody we know, open nothing', () => {
  assert.is(ticketFrom({ type: 'email.bounced', data }), undefined);
  assert.is(ticketFrom(received({ to: 'sales@north.example' })), undefined);
  assert.equal(scopeFrom({ type: 'email.bounced', data }), {});
});

test('a report without its fields is refused', () => {
  for (const payload of [{ type: 'email.received' }, received({ text: 1 })])
    assert.throws(
      () => ticketFrom(payload),
      (error: unknown) => error instanceof Problem && error.code === 'malformed-request',
    );
});

test.run();
