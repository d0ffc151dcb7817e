import { CancelOrder, type CancelOrderRequest } from './cancel-order.js';
import { CancelOrderEndpoint as Generated } from './generated/cancel-order.endpoint.js';

export class CancelOrderEndpoint extends Generated {
  protected override mapRequestToCommand({ orderId, why }: CancelOrderRequest): CancelOrder {
    return CancelOrder.of({ orderId, reason: why ?? 'no reason given' });
  }
}
