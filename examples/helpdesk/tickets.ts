import { Permission, type Perspective, type StoredEvent } from 'svc-runtime';
import { noTicket, type Ticket, ticketAfter, ticketEvents } from './ticket.js';

/** All tickets of the caller's tenant, for agents. */
export class TicketsPerspective implements Perspective<Ticket> {
  readonly name = 'tickets';
  readonly route = '/tickets';
  readonly permission = Permission.read('tickets');
  readonly events = ticketEvents;
  readonly newestFirst = true;
  readonly columns = {
    status: { type: 'text', of: ({ status }: Ticket) => status },
    customer: { type: 'text', of: ({ customer }: Ticket) => customer },
  } as const;

  initial(): Ticket {
    return noTicket;
  }

  apply(ticket: Ticket, event: StoredEvent): Ticket {
    return ticketAfter(ticket, event);
  }
}
