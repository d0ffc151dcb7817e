import {
  Problem,
  type StoredEvent,
  isEventOf,
  type Timestamp,
  type UnitOfWork,
  type Uuid,
} from 'svc-runtime';
import { TicketAnswered, TicketClosed, TicketOpened } from './events.js';

export type TicketStatus = 'open' | 'answered' | 'closed';

/** A row of both lists. */
export interface Ticket {
  ticketId: Uuid;
  customer: string;
  subject: string;
  status: TicketStatus;
  /** What was written last. */
  text: string;
  openedAt: Timestamp;
  updatedAt: Timestamp;
}

export const ticketEvents = [TicketOpened, TicketAnswered, TicketClosed];

/** The ticket after an event. */
export function ticketAfter(ticket: Ticket | undefined, event: StoredEvent): Ticket | null {
  const { streamId: ticketId, occurredAt: updatedAt } = event;
  if (isEventOf(event, TicketOpened)) {
    const { customer, subject, text } = event.payload;
    return { ticketId, customer, subject, status: 'open', text, openedAt: updatedAt, updatedAt };
  }
  if (ticket === undefined) return null;
  if (isEventOf(event, TicketAnswered))
    return { ...ticket, status: 'answered', text: event.payload.text, updatedAt };
  return { ...ticket, status: 'closed', updatedAt };
}

/** Refuses a ticket that is closed, and one that does not exist for the tenant of the caller. */
export async function mustBeOpen(ticketId: Uuid, work: UnitOfWork): Promise<void> {
  let found: Ticket | undefined;
  const { tenantId } = work.context.scope;
  for await (const event of work.read(ticketId))
    if (event.scope?.tenantId === tenantId) found = ticketAfter(found, event) ?? undefined;
  if (found === undefined)
    throw new Problem('ticket-not-found', { status: 404, title: 'There is no such ticket' });
  if (found.status === 'closed')
    throw new Problem('ticket-closed', { status: 409, title: 'The ticket is closed' });
}
