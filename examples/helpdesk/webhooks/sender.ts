import { Permission, published, webhookSender } from 'svc-runtime';
import { TicketClosed, TicketOpened } from '../events.js';

/** What customers may ask for. Nothing of an event leaves the service but what `of` returns. */
export const webhooks = webhookSender([
  published(TicketOpened, {
    type: 'ticket.opened',
    permission: Permission.read('tickets'),
    of: ({ payload: { ticketId, subject } }) => ({ ticketId, subject }),
  }),
  published(TicketClosed, {
    type: 'ticket.closed',
    permission: Permission.read('tickets'),
    of: ({ payload: { ticketId } }) => ({ ticketId }),
  }),
]);
