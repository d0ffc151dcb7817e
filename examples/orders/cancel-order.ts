import { Command, CommandEndpoint, type Uuid } from 'svc-runtime';

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
})
export class CancelOrder extends Command {
  orderId!: Uuid;
  reason!: string;
}
