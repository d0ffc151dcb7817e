import assert from 'node:assert/strict';
import { test } from 'node:test';
import { given } from 'svc-runtime/testing';
import { AnswerTicket } from './answer-ticket.js';
import { CloseTicket } from './close-ticket.js';
import { TicketAnswered, TicketClosed, TicketOpened } from './events.js';
import { OpenTicket } from './open-ticket.js';
import { AnswerTicketReceptor, CloseTicketReceptor, OpenTicketReceptor } from './receptors.js';

const ticketId = '018f0000-0000-7000-8000-000000000001';
const text = 'It does not print.';
const opened = [ticketId, TicketOpened.of({ ticketId, customer: 'eve', subject: 'Printer', text })] as const;
const answered = TicketAnswered.of({ ticketId, agent: 'ann', text: 'Turn it on.' });
const closed = TicketClosed.of({ ticketId });

const callerOf = (userId: string) => ({ identity: { source: 'test', scope: { userId } } });
const answer = AnswerTicket.of({ ticketId, text: 'Turn it on.' });
const close = CloseTicket.of({ ticketId });

test('a ticket belongs to the caller who opened it', async () => {
  const open = given(new OpenTicketReceptor()).when(
    OpenTicket.of({ subject: 'Printer', text }),
    callerOf('eve'),
  );
  const { result, events } = await open.outcome();
  assert.deepEqual(
    events.map(({ streamId, payload }) => [streamId, payload]),
    [[result.ticketId, { ticketId: result.ticketId, customer: 'eve', subject: 'Printer', text }]],
  );
});

test('an answer names the agent', () =>
  given(new AnswerTicketReceptor(), opened).when(answer, callerOf('ann')).then([ticketId, answered]));

test('an answered ticket can be closed, once', async () => {
  const past = [...opened, answered] as const;
  await given(new CloseTicketReceptor(), past).when(close).then([ticketId, closed]);
  await given(new CloseTicketReceptor(), [...past, closed])
    .when(close)
    .thenRefuses('ticket-closed');
});

test('a closed ticket cannot be answered', () =>
  given(new AnswerTicketReceptor(), [...opened, closed])
    .when(answer)
    .thenRefuses('ticket-closed'));

test('a ticket of another tenant does not exist', () =>
  given(new AnswerTicketReceptor(), opened)
    .when(answer, { identity: { source: 'test', scope: { userId: 'bob', tenantId: 'south' } } })
    .thenRefuses('ticket-not-found'));
