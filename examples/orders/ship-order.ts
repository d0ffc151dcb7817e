import { Command, CommandEndpoint, Permission, type Uuid } from 'svc-runtime';

export interface ShipOrderResult {
  orderId: Uuid;
  status: 'shipped' | 'queued';
}

@CommandEndpoint<ShipOrder, ShipOrderResult>({
  restRoute: '/orders/ship',
  permission: Permission.write('orders'),
})
export class ShipOrder extends Command {
  orderId!: Uuid;
  carrier!: string;
}
