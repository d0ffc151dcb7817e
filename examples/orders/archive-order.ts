import { Command, CommandEndpoint, type Uuid } from 'svc-runtime';

export interface ArchiveOrderResult {
  orderId: Uuid;
  status: 'archived';
}

@CommandEndpoint<ArchiveOrder, ArchiveOrderResult>({ graphQLMutation: 'archiveOrder' })
export class ArchiveOrder extends Command {
  orderId!: Uuid;
}
