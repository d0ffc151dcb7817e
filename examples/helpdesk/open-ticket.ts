import { Command, CommandEndpoint, Permission, type Uuid } from 'svc-runtime';

export interface OpenTicketResult {
  ticketId: Uuid;
  status: 'open';
}

/** The customer is the caller. */
@CommandEndpoint<OpenTicket, OpenTicketResult>({
  restRoute: '/tickets',
  graphQLMutation: 'openTicket',
  permission: Permission.of('tickets', 'open'),
})
export class OpenTicket extends Command {
  /**
   * @minLength 1
   * @maxLength 200
   */
  subject!: string;
  /** @maxLength 10000 */
  text!: string;
}
