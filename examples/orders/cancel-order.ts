import { Command, CommandEndpoint, Permission, type Uuid } from 'svc-runtime';

export class CancelOrderRequest {
  orderId!: Uuid;
  why?: string;
}

export interface CancelOrderResult {
  orderId: Uuid;
  status: 'cancelled';
}

@CommandEndpoint<CancelOrder, CancelOrderResult>({
  restRoute: '/orders/cancel',
  graphQLMutation: 'cancelOrder',
  requestType: CancelOrderRequest,
  permission: Permission.write('orders'),
})
export class CancelOrder extends Command {
  orderId!: Uuid;
  reason!: string;
}
