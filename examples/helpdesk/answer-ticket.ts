import { Command, CommandEndpoint, Permission, type Uuid } from 'svc-runtime';

export interface AnswerTicketResult {
  ticketId: Uuid;
  status: 'answered';
}

@CommandEndpoint<AnswerTicket, AnswerTicketResult>({
  restRoute: '/tickets/answer',
  graphQLMutation: 'answerTicket',
  permission: Permission.of('tickets', 'answer'),
})
export class AnswerTicket extends Command {
  ticketId!: Uuid;
  /**
   * @minLength 1
   * @maxLength 10000
   */
  text!: string;
}
