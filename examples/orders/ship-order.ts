import { Command, CommandEndpoint, type Uuid } from 'svc-runtime';

export interface ShipOrderResult {
  orderId: Uuid;
  status: 'shipped' | 'queued';
}

@CommandEndpoint<ShipOrder, ShipOrderResult>({ restRoute: '/orders/ship' })
export class ShipOrder extends Command {
  orderId!: Uuid;
  carrier!: string;
}
