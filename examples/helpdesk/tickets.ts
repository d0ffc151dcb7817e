import { Permission, type Perspective, type StoredEvent } from 'svc-runtime';
import { type Ticket, ticketAfter, ticketEvents } from './ticket.js';

/** All tickets of the caller's tenant, for agents. */
export class TicketsPerspective implements Perspective<Ticket> {
  readonly name = 'tickets';
  readonly route = '/tickets';
  readonly permission = Permission.read('tickets');
  readonly events = ticketEvents;
  readonly newestFirst = true;
  readonly columns = { status: 'text', customer: 'text' } as const;

  apply(ticket: Ticket | undefined, event: StoredEvent): Ticket | null {
    return ticketAfter(ticket, event);
  }
}
