import { Command, CommandEndpoint, Permission, type Uuid } from 'svc-runtime';

export interface CloseTicketResult {
  ticketId: Uuid;
  status: 'closed';
}

@CommandEndpoint<CloseTicket, CloseTicketResult>({
  restRoute: '/tickets/close',
  graphQLMutation: 'closeTicket',
  permission: Permission.of('tickets', 'answer'),
})
export class CloseTicket extends Command {
  ticketId!: Uuid;
}
