import { Event, type Uuid } from 'svc-runtime';

export class TicketOpened extends Event {
  ticketId!: Uuid;
  /** The user who asks; tickets opened by e-mail have its address. */
  customer!: string;
  subject!: string;
  text!: string;
}

export class TicketAnswered extends Event {
  ticketId!: Uuid;
  agent!: string;
  text!: string;
}

export class TicketClosed extends Event {
  ticketId!: Uuid;
}
