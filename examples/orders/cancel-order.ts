import { Command, CommandEndpoint, Permission, type Uuid } from 'svc-runtime';

export class CancelOrderRequest {
  orderId!: Uuid;
  why?: string;
}

export interface CancelOrderResult {
  orderId: Uuid;
  status: 'cancelled';
}

/** Cancels an order that was not shipped. Its stock is returned. */
@CommandEndpoint<CancelOrder, CancelOrderResult>({
  restRoute: '/orders/cancel',
  graphQLMutation: 'cancelOrder',
  requestType: CancelOrderRequest,
  permission: Permission.write('orders'),
  agent: { approval: Permission.of('orders', 'approve') },
})
export class CancelOrder extends Command {
  orderId!: Uuid;
  reason!: string;
}
