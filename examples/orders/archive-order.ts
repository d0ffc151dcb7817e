import { Command, CommandEndpoint, Permission, type Uuid } from 'svc-runtime';

export interface ArchiveOrderResult {
  orderId: Uuid;
  status: 'archived';
}

@CommandEndpoint<ArchiveOrder, ArchiveOrderResult>({
  graphQLMutation: 'archiveOrder',
  permission: Permission.write('orders'),
})
export class ArchiveOrder extends Command {
  orderId!: Uuid;
}
