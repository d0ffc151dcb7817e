import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from 'svc-runtime';
import { scopeFrom, ticketFrom } from './received-email.js';

const data = {
  from: 'Eve@home.example',
  to: 'support@north.example',
  subject: ' Printer ',
  text: 'It is off.',
};
const received = (more: object = {}) => ({ type: 'email.received', data: { ...data, ...more } });

test('an e-mail opens a ticket of its sender at the tenant it was sent to', () => {
  const ticket = ticketFrom(received());
  assert.deepEqual([ticket?.subject, ticket?.text], ['Printer', 'It is off.']);
  assert.deepEqual(scopeFrom(received()), { tenantId: 'north', userId: 'eve@home.example' });
});

test('a long e-mail is cut to what a ticket holds, and one without a subject gets one', () => {
  const ticket = ticketFrom(received({ subject: 'x'.repeat(300), text: 'y'.repeat(20_000) }));
  assert.deepEqual([ticket?.subject.length, ticket?.text.length], [200, 10_000]);
  assert.equal(ticketFrom(received({ subject: ' ' }))?.subject, 'Without a subject');
});

test('other reports, and e-mails to nobody we know, open nothing', () => {
  assert.equal(ticketFrom({ type: 'email.bounced', data }), undefined);
  assert.equal(ticketFrom(received({ to: 'sales@north.example' })), undefined);
  assert.deepEqual(scopeFrom({ type: 'email.bounced', data }), {});
});

test('a report without its fields is refused', () => {
  for (const payload of [{ type: 'email.received' }, received({ text: 1 })])
    assert.throws(
      () => ticketFrom(payload),
      (error: unknown) => error instanceof Problem && error.code === 'malformed-request',
    );
});
