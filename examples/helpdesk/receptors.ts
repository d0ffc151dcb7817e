import { newUuid, type Receptor, type UnitOfWork } from 'svc-runtime';
import type { AnswerTicket, AnswerTicketResult } from './answer-ticket.js';
import type { CloseTicket, CloseTicketResult } from './close-ticket.js';
import { TicketAnswered, TicketClosed, TicketOpened } from './events.js';
import type { OpenTicket, OpenTicketResult } from './open-ticket.js';
import { mustBeOpen } from './ticket.js';

export class OpenTicketReceptor implements Receptor<OpenTicket, OpenTicketResult> {
  handle({ subject, text }: OpenTicket, work: UnitOfWork): OpenTicketResult {
    const ticketId = newUuid();
    const customer = userOf(work);
    work.append(ticketId, TicketOpened.of({ ticketId, customer, subject, text }), { expectedPosition: 0 });
    return { ticketId, status: 'open' };
  }
}

export class AnswerTicketReceptor implements Receptor<AnswerTicket, AnswerTicketResult> {
  async handle({ ticketId, text }: AnswerTicket, work: UnitOfWork): Promise<AnswerTicketResult> {
    await mustBeOpen(ticketId, work);
    work.append(ticketId, TicketAnswered.of({ ticketId, agent: userOf(work), text }));
    return { ticketId, status: 'answered' };
  }
}

export class CloseTicketReceptor implements Receptor<CloseTicket, CloseTicketResult> {
  async handle({ ticketId }: CloseTicket, work: UnitOfWork): Promise<CloseTicketResult> {
    await mustBeOpen(ticketId, work);
    work.append(ticketId, TicketClosed.of({ ticketId }));
    return { ticketId, status: 'closed' };
  }
}

/** Without authentication nobody has a name. */
const userOf = ({ context }: UnitOfWork): string => context.scope.userId ?? 'guest';
