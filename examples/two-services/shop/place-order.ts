import {
  Command,
  CommandEndpoint,
  type Int,
  newUuid,
  Permission,
  type Receptor,
  type UnitOfWork,
  type Uuid,
} from 'svc-runtime';
import { OrderPlaced } from './events.js';

export interface PlaceOrderResult {
  orderId: Uuid;
}

@CommandEndpoint<PlaceOrder, PlaceOrderResult>({
  restRoute: '/orders',
  graphQLMutation: 'placeOrder',
  permission: Permission.write('orders'),
})
export class PlaceOrder extends Command {
  /** @minLength 1 */
  product!: string;
  /** @minimum 1 */
  quantity!: Int;
}

export class PlaceOrderReceptor implements Receptor<PlaceOrder, PlaceOrderResult> {
  handle({ product, quantity }: PlaceOrder, work: UnitOfWork): PlaceOrderResult {
    const orderId = newUuid();
    work.append(orderId, OrderPlaced.of({ orderId, product, quantity }), { expectedPosition: 0 });
    return { orderId };
  }
}
