import { Permission, type Perspective, ScopeFilters, type StoredEvent } from 'svc-runtime';
import { type Ticket, ticketAfter, ticketEvents } from './ticket.js';

/** The tickets that the caller has opened. */
export class MyTicketsPerspective implements Perspective<Ticket> {
  readonly name = 'my-tickets';
  readonly route = '/my-tickets';
  readonly permission = Permission.of('tickets', 'open');
  readonly filters = ScopeFilters.User;
  readonly events = ticketEvents;
  readonly newestFirst = true;
  readonly columns = {
    status: 'text',
    userId: { type: 'text', of: ({ customer }: Ticket) => customer },
  } as const;

  apply(ticket: Ticket | undefined, event: StoredEvent): Ticket | null {
    return ticketAfter(ticket, event);
  }
}
