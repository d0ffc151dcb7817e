import { Command, CommandEndpoint, type Decimal, type Int, Permission, type Uuid } from 'svc-runtime';

export interface LineItem {
  productId: string;
  /** @minimum 1 */
  quantity: Int;
  unitPrice: Decimal;
}

export interface Address {
  street: string;
  city: string;
  state: string;
  zipCode: string;
}

export interface CreateOrderResult {
  orderId: Uuid;
  total: Decimal;
  status: 'created';
}

/** Places an order. Its stock is reserved, and it waits 15 minutes to be paid. */
@CommandEndpoint<CreateOrder, CreateOrderResult>({
  restRoute: '/orders',
  graphQLMutation: 'createOrder',
  permission: Permission.write('orders'),
  agent: true,
})
export class CreateOrder extends Command {
  customerId!: Uuid;
  /** @minItems 1 */
  lineItems!: LineItem[];
  shippingAddress!: Address;
}
